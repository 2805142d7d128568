-- What each role may do with the tables: run by lanyard_owner after each `lanyard migrate`, before the new version starts.

-- The service reads and writes rows. It creates, changes and drops nothing.
grant select, insert, update, delete on all tables in schema public to lanyard_service;
grant usage on all sequences in schema public to lanyard_service;
grant execute on function ensure_archive_partition(text) to lanyard_service;
-- A row of the audit log is never changed, and migrations are the owner's.
revoke update, delete on audit_log from lanyard_service;
revoke insert, update, delete on kysely_migration, kysely_migration_lock from lanyard_service;

-- Readers see no keys, tokens, challenges, answers or addresses of receivers.
grant select on all tables in schema public to lanyard_reader;
revoke select on token_keys, api_keys, challenges, idempotency_keys, webhook_endpoints, webhook_deliveries, operators,
  operator_invitations, operator_passkeys, operator_challenges, operator_sessions from lanyard_reader;
