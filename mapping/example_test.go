package mapping_test

import (
	"encoding/json"
	"fmt"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A catalog holds facts in the backend's words; the surface is what a model sees
// of them, with a reason for each difference.
func ExampleBuild() {
	id := mapping.Param{In: "path", Name: "id", Text: "The pet's number.", Required: true, Schema: json.RawMessage(`{"type":"integer"}`)}
	pets := &mapping.Catalog{
		Scheme: "api",
		Operations: []mapping.Operation{
			{Key: "GET /pets", Name: "listPets", Summary: "Lists all pets.", Effect: mapping.Reads},
			{Key: "GET /pets/{id}", Name: "getPetById", Summary: "Returns one pet.", Effect: mapping.Reads, Params: []mapping.Param{id}},
			{Key: "DELETE /pets/{id}", Name: "deletePet", Effect: mapping.Destroys, Params: []mapping.Param{id}},
		},
		Resources: []mapping.Resource{{Path: "pets/{id}", Name: "pet", Operation: "GET /pets/{id}"}},
	}
	surface := mapping.Build(map[string]*mapping.Catalog{"pets": pets}, mapping.Rules{ReadOnly: true})
	fmt.Print(surface.Text())
	// Output:
	// source pets: 2 tools, 1 resource, 0 prompts
	//
	// tool list_pets  read-only  GET /pets
	//   Use when you need to list all pets. Do not use for getting one pet; use get_pet_by_id instead.
	//
	// tool get_pet_by_id  read-only  GET /pets/{id}
	//   Use when you need to get one pet. Do not use for listing all pets; use list_pets instead.
	//   - id  integer, required  The pet's number.
	//
	// template api://pets/pets/{id}  as get_pet_by_id
	//
	// dropped DELETE /pets/{id}: rules.readOnly is set, and the operation destroys
}

// A URI leads to the call whose answer it names, with typed arguments.
func ExampleSurface_Resolve() {
	surface := mapping.Build(map[string]*mapping.Catalog{"pets": {
		Scheme: "api",
		Operations: []mapping.Operation{{Key: "GET /pets/{id}", Name: "getPet", Effect: mapping.Reads, Params: []mapping.Param{
			{In: "path", Name: "id", Required: true, Schema: json.RawMessage(`{"type":"integer"}`)},
		}}},
		Resources: []mapping.Resource{{Path: "pets/{id}", Name: "pet", Operation: "GET /pets/{id}"}},
	}}, mapping.Rules{})
	target, err := surface.Resolve("api://pets/pets/9007199254740993")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(target.Call.Key, string(target.Call.Arg("path", "id")))
	// Output: GET /pets/{id} 9007199254740993
}
