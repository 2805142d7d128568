-- Gives the tables of an installation that ran under one user to lanyard_owner, while it serves: run once by an administrator of the
-- server, after roles.sql and connected to the service's database, with psql -v user=<the old user>. docs/database.md says when.

-- The old user keeps its rights until its last process is replaced.
grant lanyard_owner to :"user";

select format('alter %s %s owner to lanyard_owner', case relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end, oid::regclass)
  from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S')
    -- A sequence of a column follows its table.
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i', 'e') and relkind = 'S')
\gexec
select format('alter routine %s owner to lanyard_owner', oid::regprocedure)
  from pg_proc
  where pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
\gexec
select format('alter database %I owner to lanyard_owner', current_database())
\gexec
