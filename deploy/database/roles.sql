-- The roles of an installation: run once by an administrator of the server, connected to the service's database.
-- docs/database.md says how to use them. Passwords are set afterwards: \password lanyard_owner, …

-- Owns the tables, and runs `lanyard migrate`.
create role lanyard_owner login;

-- What the service may do. Processes log in as one of two members, so that a password changes without a pause.
create role lanyard_service nologin;
create role lanyard_service_a login in role lanyard_service;
create role lanyard_service_b login in role lanyard_service;

-- Reads everything but secrets: for reports, and for people.
create role lanyard_reader login;

-- A setting belongs to the role that logs in. PgBouncer lets no process set these by itself.
alter role lanyard_service_a set statement_timeout = '10s';
alter role lanyard_service_a set idle_in_transaction_session_timeout = '15s';
alter role lanyard_service_b set statement_timeout = '10s';
alter role lanyard_service_b set idle_in_transaction_session_timeout = '15s';
alter role lanyard_reader set statement_timeout = '60s';
alter role lanyard_reader set default_transaction_read_only = on;

do $$ begin
  execute format('revoke connect, temporary on database %I from public', current_database());
  execute format('grant connect, create on database %I to lanyard_owner', current_database());
  execute format('grant connect on database %I to lanyard_service, lanyard_reader', current_database());
end $$;
revoke create on schema public from public;
grant create, usage on schema public to lanyard_owner;
grant usage on schema public to lanyard_service, lanyard_reader;
