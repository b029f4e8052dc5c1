-- tables
SELECT json_build_object(
  'oid', c.oid::bigint, 'schema', n.nspname, 'name', c.relname, 'kind', c.relkind,
  'comment', coalesce(d.description, ''), 'rows', c.reltuples::bigint)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = c.oid AND d.objsubid = 0
WHERE c.relkind IN ('r','p','f','v','m') AND NOT c.relispartition AND {schemas}
  AND has_any_column_privilege(c.oid, 'SELECT')
-- columns
SELECT json_build_object(
  'table', a.attrelid::bigint, 'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
  'code', t.oid::bigint, 'base', coalesce(nullif(t.typbasetype, 0), t.oid)::bigint, 'category', t.typtype,
  'space', tn.nspname, 'element', t.typelem::bigint, 'length', t.typlen,
  'notNull', a.attnotnull OR t.typnotnull, 'default', coalesce(pg_get_expr(ad.adbin, ad.adrelid), ''),
  'generated', a.attgenerated <> '' OR a.attidentity <> '', 'comment', coalesce(d.description, ''))
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_type t ON t.oid = a.atttypid JOIN pg_namespace tn ON tn.oid = t.typnamespace
LEFT JOIN pg_attrdef ad ON ad.adrelid = a.attrelid AND ad.adnum = a.attnum
LEFT JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = a.attrelid AND d.objsubid = a.attnum
WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r','p','f','v','m') AND NOT c.relispartition AND {schemas}
  AND (has_table_privilege(a.attrelid, 'SELECT') OR has_column_privilege(a.attrelid, a.attnum, 'SELECT'))
ORDER BY a.attrelid, a.attnum
-- enums
SELECT json_build_object('type', enumtypid::bigint, 'values', json_agg(enumlabel ORDER BY enumsortorder))
FROM pg_enum GROUP BY enumtypid
-- keys
SELECT json_build_object(
  'table', i.indrelid::bigint, 'name', ic.relname, 'unique', i.indisunique, 'primary', i.indisprimary,
  'plain', i.indpred IS NULL AND i.indexprs IS NULL AND i.indisvalid,
  'columns', CASE WHEN i.indnkeyatts = 1 AND one.attname IS NOT NULL THEN json_build_array(one.attname)
    ELSE (SELECT json_agg(coalesce(a.attname::text, pg_get_indexdef(i.indexrelid, k.n::int, true)) ORDER BY k.n)
      FROM unnest(i.indkey) WITH ORDINALITY AS k(num, n)
      LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.num AND k.num > 0
      WHERE k.n <= i.indnkeyatts) END)
FROM pg_index i JOIN pg_class ic ON ic.oid = i.indexrelid JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_attribute one ON one.attrelid = i.indrelid AND one.attnum = i.indkey[0] AND one.attnum > 0
WHERE c.relkind IN ('r','p','f','m') AND NOT c.relispartition AND {schemas}
ORDER BY i.indrelid, i.indisprimary DESC, ic.relname
-- references
SELECT json_build_object(
  'table', k.conrelid::bigint, 'name', k.conname, 'schema', fn.nspname, 'to', fc.relname,
  'columns', (SELECT json_agg(a.attname ORDER BY x.n) FROM unnest(k.conkey) WITH ORDINALITY AS x(num, n)
    JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = x.num),
  'theirs', (SELECT json_agg(a.attname ORDER BY x.n) FROM unnest(k.confkey) WITH ORDINALITY AS x(num, n)
    JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = x.num))
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_class fc ON fc.oid = k.confrelid JOIN pg_namespace fn ON fn.oid = fc.relnamespace
WHERE k.contype = 'f' AND k.conparentid = 0 AND {schemas}
ORDER BY k.conrelid, k.conname
-- server
SELECT json_build_object('version', current_setting('server_version'), 'name', current_database(),
  'encoding', current_setting('server_encoding'),
  'comment', coalesce(shobj_description((SELECT oid FROM pg_database WHERE datname = current_database()), 'pg_database'), ''))
-- fingerprint
SELECT md5(concat_ws(',',
  (SELECT concat(count(*), '/', max(c.xmin::text::bigint), '/', sum(hashtext(c.oid::text || c.xmin::text))) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r','p','f','v','m','i','I') AND {schemas}),
  (SELECT concat(count(*), '/', sum(hashtext(a.attrelid::text || a.attnum::text || a.xmin::text))) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r','p','f','v','m') AND {schemas}),
  (SELECT concat(count(*), '/', sum(hashtext(k.oid::text || k.xmin::text))) FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace WHERE {schemas}),
  (SELECT concat(count(*), '/', sum(hashtext(oid::text || xmin::text))) FROM pg_enum),
  (SELECT concat(count(*), '/', sum(hashtext(d.objoid::text || d.objsubid::text || d.xmin::text))) FROM pg_description d JOIN pg_class c ON c.oid = d.objoid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE d.classoid = 'pg_class'::regclass AND {schemas})))
