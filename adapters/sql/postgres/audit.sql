SELECT json_build_object(
  'role', current_user,
  'superuser', r.rolsuper, 'bypass', r.rolbypassrls, 'createRole', r.rolcreaterole, 'replication', r.rolreplication,
  'member', (SELECT json_agg(m.rolname) FROM pg_roles m WHERE m.rolname IN
    ('pg_read_server_files','pg_write_server_files','pg_execute_server_program','pg_signal_backend','pg_write_all_data','pg_checkpoint','pg_create_subscription','pg_maintain')
    AND pg_has_role(current_user, m.oid, 'MEMBER')),
  'writes', (SELECT json_agg(x.name) FROM (SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r','p','f','v') AND n.nspname NOT IN ('pg_catalog','information_schema') AND n.nspname NOT LIKE 'pg\_%'
      AND (has_table_privilege(c.oid, 'INSERT,UPDATE,DELETE,TRUNCATE') OR has_any_column_privilege(c.oid, 'INSERT,UPDATE'))
    ORDER BY 1 LIMIT 5) x),
  'creates', (SELECT json_agg(n.nspname) FROM pg_namespace n WHERE n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema' AND has_schema_privilege(n.oid, 'CREATE')),
  'remote', (SELECT json_agg(DISTINCT p.proname) FROM pg_proc p WHERE p.proname LIKE 'dblink%' AND has_function_privilege(p.oid, 'EXECUTE')),
  'servers', (SELECT json_agg(s.srvname) FROM pg_foreign_server s WHERE has_server_privilege(s.oid, 'USAGE')),
  'unforced', (SELECT json_agg(format('%I.%I', n.nspname, c.relname)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relrowsecurity AND NOT c.relforcerowsecurity AND pg_has_role(current_user, c.relowner, 'USAGE')))
FROM pg_roles r WHERE r.rolname = current_user
