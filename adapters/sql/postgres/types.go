package postgres

import (
	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
)

// The codes of PostgreSQL's own types, which never change (pg_type.dat).
const (
	boolOID, byteaOID, int8OID, int2OID, int4OID, textOID, oidOID = 16, 17, 20, 21, 23, 25, 26
	jsonOID, jsonbOID, float4OID, float8OID                       = 114, 3802, 700, 701
	numericOID, uuidOID                                           = 1700, 2950
	bpcharOID, varcharOID, nameOID, charOID                       = 1042, 1043, 19, 18
	dateOID, timeOID, timetzOID, timestampOID, timestamptzOID     = 1082, 1083, 1266, 1114, 1184
)

var classes = map[uint32]bridgesql.Class{
	boolOID: bridgesql.Boolean, byteaOID: bridgesql.Bytes,
	int2OID: bridgesql.Integer, int4OID: bridgesql.Integer, oidOID: bridgesql.Integer, int8OID: bridgesql.BigInt,
	float4OID: bridgesql.Float, float8OID: bridgesql.Float, numericOID: bridgesql.Decimal,
	textOID: bridgesql.Text, bpcharOID: bridgesql.Text, varcharOID: bridgesql.Text, nameOID: bridgesql.Text, charOID: bridgesql.Text,
	jsonOID: bridgesql.JSON, jsonbOID: bridgesql.JSON, uuidOID: bridgesql.UUID,
	dateOID: bridgesql.Date, timeOID: bridgesql.Time, timetzOID: bridgesql.Time,
	timestampOID: bridgesql.Timestamp, timestamptzOID: bridgesql.Timestamp,
}

// elements are the element types of PostgreSQL's own array types.
var elements = map[uint32]uint32{
	1000: boolOID, 1001: byteaOID, 1002: charOID, 1003: nameOID, 1005: int2OID, 1007: int4OID, 1009: textOID, 1014: bpcharOID,
	1015: varcharOID, 1016: int8OID, 1021: float4OID, 1022: float8OID, 1028: oidOID, 1115: timestampOID, 1182: dateOID,
	1183: timeOID, 1185: timestamptzOID, 1231: numericOID, 1270: timetzOID, 199: jsonOID, 2951: uuidOID, 3807: jsonbOID,
}

func classOf(code uint32) bridgesql.Class {
	if class, ok := classes[code]; ok {
		return class
	}
	if _, ok := elements[code]; ok {
		return bridgesql.Array
	}
	return bridgesql.Other
}

func elementOf(code uint32) *bridgesql.Column {
	if element, ok := elements[code]; ok {
		return &bridgesql.Column{Code: element, Class: classOf(element)}
	}
	return nil
}
