import type { Database } from '@lanyard/database'

/** Tables whose rows are exported with a user, keyed by the member of the document that holds them. */
export const exportedTables = {
  users: 'user',
  accounts: 'account',
  credentials: 'credentials',
  operations: 'operations',
  sponsorships: 'sponsorships',
  orders: 'orders',
  order_operations: 'order_operations',
  order_debits: 'order_debits',
  attestations: 'attestations',
} as const satisfies Partial<Record<keyof Database, string>>

/**
 * The other tables, with the reason why they are not exported. A table that is in neither list does not
 * compile.
 */
export const leftTables = {
  account_backoffs: 'how long failing operations of an account wait',
  relayer_leases: 'which process sends for a relayer now',
  relayer_transactions: 'signed by relayers of this installation',
  relayer_transaction_operations: 'which operations those transactions carry',
  relayer_losses: 'what relayers of this installation lost',
  settlement_debits: "which debits a settler's own transactions carry",
  smart_balance_ledger: 'read again from the chains',
  smart_balance_networks: 'locks without data',
  smart_balance_terms: 'quotes, which are valid for minutes',
  nonce_holds: 'lanes of builds in progress',
  challenges: 'ceremonies in progress, which last for minutes',
  relying_party: 'each document has the domain as `rp_id`',
  token_keys: 'a secret of the installation',
  api_keys: "the installation's callers",
  idempotency_keys: 'answers to those callers, kept for a day',
  rate_limits: 'calls in the current minute',
  cost_levels: 'what callers cost in the last minutes',
  sponsored_deployments: 'what this installation paid for in a day, all users together',
  sponsorship_suspensions: 'what callers of this installation did lately',
  gas_top_ups: 'transactions of this installation',
  relayer_refills: 'transactions of this installation',
  watched_contracts: 'how far this installation has read',
  events: 'events about changes here; an import writes none',
  event_positions: 'how far events were delivered',
  webhook_endpoints: "webhook endpoints of this installation's callers",
  webhook_deliveries: 'deliveries to those endpoints',
  account_logs: 'read again from the chains',
  account_watches: 'who listens to streams now',
  log_watches: 'how far this installation has read',
  passes: 'background work in progress',
  owner_changes: 'in the logs of each network that applied them, with their signatures',
  recovery_watches: 'how far this installation has read',
  owner_change_progress: 'read again from the chains',
  sponsorship_days: 'what gas policies paid for in a day; an import adds the part of the user',
} as const satisfies Record<Exclude<keyof Database, keyof typeof exportedTables>, string>
