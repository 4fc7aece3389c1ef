-- Drops what Goldpan made in its database, inside the transaction that restores a backup. The database itself,
-- its extensions and the schema stay: a role that owns nothing but its tables may run this.
SET LOCAL client_min_messages = warning;

DO $$
DECLARE
    statement text;
BEGIN
    -- Collected first: an object's name can no longer be looked up once a CASCADE has taken it along.
    FOREACH statement IN ARRAY (
        SELECT coalesce(array_agg(format('DROP %s IF EXISTS %s CASCADE', kind, name)), '{}')
        FROM (
            SELECT oid, 'pg_class'::regclass AS class, oid::regclass::text AS name,
                   CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
                                WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END AS kind
            FROM pg_class
            WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'f', 'v', 'm', 'S')
            UNION ALL
            SELECT oid, 'pg_proc'::regclass, oid::regprocedure::text, 'ROUTINE'
            FROM pg_proc
            WHERE pronamespace = 'public'::regnamespace
            UNION ALL
            SELECT oid, 'pg_type'::regclass, oid::regtype::text, 'TYPE'
            FROM pg_type
            WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')
        ) AS made
        -- e: belongs to an extension; i: goes with its table, as the sequence of an identity column does
        WHERE NOT EXISTS (
            SELECT FROM pg_depend WHERE classid = class AND objid = made.oid AND deptype IN ('e', 'i')
        )
    )
    LOOP
        EXECUTE statement;
    END LOOP;
END
$$;
