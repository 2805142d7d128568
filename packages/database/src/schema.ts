import type { Generated, GeneratedAlways, Insertable, Selectable } from 'kysely'

/**
 * The tables. Conventions: addresses and hashes are lower-case hex text; `numeric` columns hold integers and
 * are read as bigint, `int8` columns hold numbers below 2^53 and are read as number; times are timestamptz.
 */
export interface Database {
  users: UsersTable
  accounts: AccountsTable
  operations: OperationsTable
  relayer_leases: RelayerLeasesTable
  relayer_transactions: RelayerTransactionsTable
  relayer_transaction_operations: RelayerTransactionOperationsTable
  credentials: CredentialsTable
  challenges: ChallengesTable
  relying_party: RelyingPartyTable
  token_keys: TokenKeysTable
  sponsored_deployments: SponsoredDeploymentsTable
  idempotency_keys: IdempotencyKeysTable
  rate_limits: RateLimitsTable
  api_keys: ApiKeysTable
  smart_balance_ledger: SmartBalanceLedgerTable
  smart_balance_networks: SmartBalanceNetworksTable
  smart_balance_terms: SmartBalanceTermsTable
  orders: OrdersTable
  order_operations: OrderOperationsTable
  order_debits: OrderDebitsTable
  sponsorships: SponsorshipsTable
  sponsorship_days: SponsorshipDaysTable
  gas_top_ups: GasTopUpsTable
  watched_contracts: WatchedContractsTable
  attestations: AttestationsTable
  settlement_debits: SettlementDebitsTable
  nonce_holds: NonceHoldsTable
  events: EventsTable
  event_positions: EventPositionsTable
  webhook_endpoints: WebhookEndpointsTable
  webhook_deliveries: WebhookDeliveriesTable
  account_logs: AccountLogsTable
  account_watches: AccountWatchesTable
  log_watches: LogWatchesTable
  passes: PassesTable
}

export interface UsersTable {
  id: string
  kind: 'eoa' | 'passkey'
  /** As the user wrote it, NFKC. */
  username: string
  /** The form in which usernames are unique: `usernameKey(username)`. */
  username_key: string
  /**
   * What the name looks like: `usernameSkeleton(username)`, unique. Null for an older name that looks like another, which
   * keeps working.
   */
  username_skeleton: string | null
  /** False for a name that looks like an e-mail address: search finds it by the whole name only. */
  listed: GeneratedAlways<boolean>
  created_at: Date
}

/** One smart account a user. Its address depends on everything in `deployment` and on the first owner. */
export interface AccountsTable {
  address: string
  user_id: string
  /** The EOA of the initializer; null for passkey accounts. Later owners never appear here. */
  eoa_address: string | null
  /** Passkey accounts: the public key and the packed verifiers of the initializer. */
  passkey_x: bigint | null
  passkey_y: bigint | null
  passkey_verifiers: bigint | null
  /** `AccountDeployment` of @lanyard/accounts as JSON: singleton, factory, module, signer, salt nonce, … */
  deployment: unknown
  created_at: Date
  /** Grows with each signature that is written for it: who read an older count was not first. */
  signatures: Generated<number>
}

export type OperationRowState = 'built' | 'submitting' | 'submitted' | 'included' | 'dropped' | 'expired'

/**
 * User operations, written before they are anything else.
 *
 * `built → submitting` (signed) `→ submitted` (the bundler has it) `→ included | dropped | expired`, and back from
 * included to submitted on a reorg. `final`: the state can no longer change.
 */
export interface OperationsTable {
  /** EntryPoint's hash: the identity of an operation, whatever its signature bytes are. */
  user_op_hash: string
  account: string
  network: number
  entry_point: string
  nonce_key: bigint
  nonce_sequence: bigint
  /** The wire form (ten strings at most) without the signature, as JSON. */
  user_op: unknown
  /** What the owner signs: the SafeOp hash. */
  safe_op_hash: string
  valid_after: number
  valid_until: number
  sign_mode: 'ECDSA' | 'SESSION_KEY' | 'WEBAUTHN'
  /** With SESSION_KEY: the contract and the key, as JSON. */
  session_key: Generated<unknown>
  /** Native value that the calls send, wei. */
  value: bigint
  /** True when the operation deploys its account. */
  deploys: boolean
  /** The operation whose nonce this one takes over; null again when that was a build that nobody signed in time. */
  replaces: string | null
  /** Who asked for the build, while it is unsigned. */
  built_by: string | null

  state: OperationRowState
  final: Generated<boolean>
  built_at: Date
  /** Until then the build can be signed. */
  build_expires_at: Date

  /** The complete `userOp.signature` as EntryPoint gets it; null until signed. */
  signature: string | null
  signed_at: Date | null
  /** Head of the chain when it was signed: its event is in no earlier block. */
  signed_at_block: number | null
  /** Deliveries to the bundler so far, and when the worker may try the next one. */
  attempts: Generated<number>
  next_attempt_at: Date | null

  txn_hash: string | null
  block_number: number | null
  block_hash: string | null
  included_at: Date | null
  success: boolean | null
  /** wei */
  gas_cost: bigint | null
  /** An error code of ours, or the entry point's own name, for `dropped`, reverted, or still waiting. */
  reason_code: string | null
  reason_message: string | null
}

/** Who may send for a relayer now. `fence` grows with each new holder; a write with an older one is refused. */
export interface RelayerLeasesTable {
  network: number
  relayer: string
  holder: string
  fence: number
  expires_at: Date
}

/** Transactions of the embedded bundler's relayers and of the settler, written before they are sent. */
export interface RelayerTransactionsTable {
  txn_hash: string
  network: number
  relayer: string
  nonce: number
  /** The signed bytes: resending sends these. */
  raw: string
  gas_limit: bigint
  max_fee_per_gas: bigint
  max_priority_fee_per_gas: bigint
  /** `live`: may still be mined. `mined`, `lost`: its nonce was used, by it or by another. */
  state: 'live' | 'mined' | 'lost'
  block_number: number | null
  block_hash: string | null
  created_at: Date
  /** When it was handed to the node last; null: never (written, then the process died). */
  sent_at: Date | null
}

export interface RelayerTransactionOperationsTable {
  txn_hash: string
  /** Place in the bundle: FailedOp names it. */
  position: number
  user_op_hash: string
}

export type OperationRow = Selectable<OperationsTable>
export type NewOperationRow = Insertable<OperationsTable>
export type AccountRow = Selectable<AccountsTable>
export type UserRow = Selectable<UsersTable>
export type RelayerTransactionRow = Selectable<RelayerTransactionsTable>

/** A user's passkeys. Which of them own the account is a matter of each chain. */
export interface CredentialsTable {
  /** base64url without padding: the one form in which ids are compared. */
  id: string
  user_id: string
  /** COSE_Key, ES256. */
  public_key: Uint8Array
  /** The packed verifiers of its signer contract: a later change of the default must not move it. */
  verifiers: bigint
  /** True for the passkey of the account's initializer: there the shared signer stands for it. */
  first_owner: boolean
  label: string
  counter: number
  /** Fixed at registration (WebAuthn L3 §6.1.3). */
  backup_eligible: boolean
  backed_up: boolean
  /** JSON array of strings. */
  transports: unknown
  aaguid: string
  created_at: Date
  last_used_at: Date | null
}

/** Random challenges, each for one ceremony of one subject. An operation's challenge is the operation's own row. */
export interface ChallengesTable {
  /** base64url, as in clientDataJSON. */
  challenge: string
  ceremony: 'register' | 'authenticate' | 'discover' | 'credential' | 'login'
  /** Who it is for: `usernameKey` of a new user, else what the ceremony names. */
  subject: string
  /** The user, or the id that a new one gets; null while the ceremony is to find out who it is. */
  user_id: string | null
  expires_at: Date
  used_at: Date | null
}

/** What every passkey of this installation is bound to forever. At most one row. */
export interface RelyingPartyTable {
  only_row: Generated<boolean>
  rp_id: string
  /** JSON array of strings. */
  origins: unknown
}

/** The key that signs tokens where none is configured. At most one row. */
export interface TokenKeysTable {
  only_row: Generated<boolean>
  private_jwk: unknown
  created_at: Date
}

/** Deployments that the service paid for, a day (UTC). */
export interface SponsoredDeploymentsTable {
  day: string
  /** The API key by its caller's name, or `anonymous`. */
  caller: string
  count: number
}

/**
 * What a request with an Idempotency-Key answered.
 *
 * `running`: a process holds the claim until it expires. `unfinished`: it failed in a way that may pass; the next
 * request runs again. `finished`: the answer for as long as the row lives.
 */
export interface IdempotencyKeysTable {
  /** The credentials, as one text: a key is worth nothing to anyone else. */
  caller: string
  /** Its REST path; calls over tRPC have the same. */
  endpoint: string
  key: string
  /** SHA-256 of the parsed input, hex. */
  request_hash: string
  state: 'running' | 'unfinished' | 'finished'
  /** Names one run of the handler: only its holder may write the answer. */
  claim: string
  claim_expires_at: Date
  /** JSON, as text: jsonb would reorder its members. null while running. */
  answer: string | null
  created_at: Date
}

/** Written by rate-limiter-flexible: requests of the current minute. */
export interface RateLimitsTable {
  key: string
  points: Generated<number>
  /** Milliseconds since 1970. */
  expire: number | null
}

/** API keys beside those of the environment. Rows stay when they are revoked: a log may name them. */
export interface ApiKeysTable {
  /** The part of the key that may be shown: `lk_secret_` or `lk_public_` and eight characters. */
  id: string
  kind: 'secret' | 'publishable'
  /** Keys of one name are one caller. */
  name: string
  /** SHA-256 of the whole key, hex. The key has 256 random bits: nothing slower is needed. */
  key_hash: string
  /** JSON array of strings: the pages that may use a publishable key; empty for a secret one. */
  origins: unknown
  created_at: Date
  revoked_at: Date | null
}

export type ApiKeyRow = Selectable<ApiKeysTable>

export type CredentialRow = Selectable<CredentialsTable>
export type NewCredentialRow = Insertable<CredentialsTable>

/** What an account has in SmartBalance on a network, as a final block says. Written only by a later block. */
export interface SmartBalanceLedgerTable {
  account: string
  network: number
  /** 6 decimals; includes what exits. */
  balance: bigint
  exiting: bigint
  /** Unix seconds; 0 without an exit. */
  exit_ready_at: number
  /** JSON array of the signer ids that are pinned without an end. */
  pinned_signers: unknown
  /** JSON array of the signer ids that were asked for: those known to this service, and owners seen on chain. */
  asked_signers: unknown
  block_number: number
  /** Unix seconds. */
  block_timestamp: number
}

/** One row a network: locked by whoever reserves its liquidity. */
export interface SmartBalanceNetworksTable {
  network: number
}

/** The terms that an account was quoted last for a network, kept to until they expire. */
export interface SmartBalanceTermsTable {
  account: string
  output_network: number
  terms: unknown
  /** Quotes that keep to them put `expires_at` off, but not forever. */
  made_at: Date
  expires_at: Date
}

/**
 * Orders of the smart balance: what is reserved, and the outcome.
 *
 * `RESERVED → SUBMITTED → CLAIMED | FAILED → ATTESTED → SETTLED`, or `EXPIRED`. Orders of one account, network and
 * nonce compete: at most one of them is ever included.
 */
export interface OrdersTable {
  /** 32 random bytes, hex. */
  order_id: string
  account: string
  output_network: number
  type: 'AMOUNT_OUT' | 'AMOUNT_IN'
  /** What arrives: claim_amount + withdrawal_amount. 6 decimals, as all amounts here. */
  amount: bigint
  fee: bigint
  total: bigint
  /** Lent by the operator. */
  claim_amount: bigint
  /** Of the account's own deposit on the output network. */
  withdrawal_amount: bigint
  withdrawal_fee: bigint
  /** The operator's co-signature over the withdrawal: usable by the account until its deadline, order or not. */
  withdrawal_salt: string | null
  /** Unix seconds, the last one in which it is usable. */
  withdrawal_deadline: number | null
  withdrawal_digest: string | null
  withdrawal_signature: string | null
  /** `used`, `lapsed`: a final block shows it used, or is past the deadline. */
  withdrawal_state: 'none' | 'open' | 'used' | 'lapsed'
  nonce_key: bigint
  nonce_sequence: bigint
  /** Whose signature the order is for: what SmartBalance pins. */
  signer_id: string
  /** wei */
  gas_budget: bigint
  state: 'RESERVED' | 'SUBMITTED' | 'CLAIMED' | 'FAILED' | 'ATTESTED' | 'SETTLED' | 'EXPIRED'
  reserved_at: Date
  expires_at: Date
  /** EIP-712 hash of the operation that was submitted, among its `order_operations`. */
  order_hash: string | null
  user_op_hash: string | null
  /** Of the claim, on the output network. */
  txn_hash: string | null
  block_number: number | null
  block_hash: string | null
  /** Its outcome on the output network; null until it is included, and again after a reorg. */
  outcome: Generated<'claimed' | 'failed' | null>
  /** When nothing could change any more. */
  closed_at: Date | null
}

/** The operations that the operator signed for an order. */
export interface OrderOperationsTable {
  order_hash: string
  order_id: string
  user_op_hash: string
  paymaster_and_data: string
  /** Unix seconds, from the order's bytes. */
  valid_until: number
  created_at: Date
  /** The complete `userOp.signature` that the output network accepted, from its log; null until that was read. */
  signature: Generated<string | null>
}

/** What an order takes on a source network. */
export interface OrderDebitsTable {
  order_id: string
  network: number
  amount: bigint
  fail_fee: bigint
  state: 'RESERVED' | 'DUE' | 'SETTLED' | 'PARTIAL' | 'LOST' | 'RELEASED'
  /** Once proven: `amount` of a claimed order, `fail_fee` of a failed one. */
  due: bigint | null
  settled_amount: Generated<bigint>
  /** Of the transaction that settled it last. */
  txn_hash: string | null
  /** Settlements so far that took less than what is due, when the next one may be tried, and why it waits. */
  attempts: Generated<number>
  next_attempt_at: Generated<Date | null>
  reason: Generated<string | null>
  /** When the settlement window had passed without all of it: nothing more will come. */
  closed_at: Generated<Date | null>
}

/** What an attestor says of an order. Decided, and written, before it is signed: never another outcome. */
export interface AttestationsTable {
  order_hash: string
  attestor: string
  outcome: 'claimed' | 'failed'
  /** The final block at which the attestor read the outcome. */
  block_number: number
  block_hash: string
  decided_at: Date
  signature: string | null
}

/** The debits within a settler's transaction, a row of relayer_transactions. */
export interface SettlementDebitsTable {
  txn_hash: string
  /** Place in the batch. */
  position: number
  order_id: string
  network: number
  /** A final block has the transaction, and the ledger was read at one since. */
  final: Generated<boolean>
}

export type OrderRow = Selectable<OrdersTable>
export type NewOrderRow = Insertable<OrdersTable>
export type OrderDebitRow = Selectable<OrderDebitsTable>
export type OrderOperationRow = Selectable<OrderOperationsTable>
export type AttestationRow = Selectable<AttestationsTable>

/** Operations whose gas is taken from a day's budgets. Those of orders with debits are not among them: they pay. */
export interface SponsorshipsTable {
  user_op_hash: string
  network: number
  account: string
  /** `order`: without debits, so that its fee pays for its gas unless its calls revert. */
  kind: 'sponsored' | 'order'
  /** The gas policy that pays, by its id; null for an order. */
  policy: string | null
  /** The API key by which it was built, as one word; empty without a key. */
  caller: string
  /** UTC, `2026-01-31`: whose budgets it is taken from. */
  day: string
  /** wei, the most that it can cost. */
  reserved: bigint
  /** wei, what it did cost once that is certain; 0: it was never included. */
  charged: bigint | null
  /** Unix seconds: past it, it can no longer be included. */
  valid_until: number
  /** Head of the chain when it was built: its event is in no earlier block. */
  built_at_block: number
  created_at: Date
}

export type SponsorshipRow = Selectable<SponsorshipsTable>

/** What is taken of a budget for gas on one network. */
export interface SponsorshipDaysTable {
  network: number
  /** `policy:` and an id, with the account or the API key where it is theirs; `order`, or `order:` and a caller. */
  budget: string
  /** UTC, or `total` for all days together. */
  day: string
  /** wei: `settled`, and what is reserved besides. */
  taken: bigint
  /** wei, what operations did cost for certain. */
  settled: Generated<bigint>
  /** Those that were included, or may still be. */
  operations: Generated<number>
}

/** What the top-up key signed for the gas deposit of SmartBalance: a transaction of relayer_transactions each. */
export interface GasTopUpsTable {
  txn_hash: string
  network: number
  sender: string
  /** Of those with one nonce at most one is ever mined. */
  nonce: number
  /** wei */
  amount: bigint
  created_at: Date
  /** A final block has it. */
  final: boolean
}

/** How far the events of a network's SmartBalance were read. */
export interface WatchedContractsTable {
  network: number
  /** Final, and the last one that was. */
  block_number: number
}

/**
 * Builds whose payer signs now. Their builder prefers other lanes meanwhile; nobody else takes notice. The row goes
 * with the build; should the process die, it ends by itself.
 */
export interface NonceHoldsTable {
  hold_id: string
  account: string
  network: number
  nonce_key: bigint
  built_by: string
  expires_at: Date
}

/**
 * What happened to accounts. Triggers write it with the change of state, in its transaction; `publishEvents` gives it its
 * position.
 */
export interface EventsTable {
  id: GeneratedAlways<number>
  /** The order in which everybody reads: an event is never visible before one of a lower position. Null until given. */
  position: number | null
  /** `operation.included` */
  type: string
  account: string
  network: number
  /** What is told besides account and network, as JSON. */
  data: unknown
  created_at: Generated<Date>
}

export type EventRow = Selectable<EventsTable>

/** The last position that was given. One row: whoever gives positions locks it. */
export interface EventPositionsTable {
  only_row: Generated<boolean>
  last: number
}

/** Where a server wants events sent. */
export interface WebhookEndpointsTable {
  id: string
  /** Of the API key that it belongs to. */
  key_name: string
  url: string
  /** JSON array: `operation.included`, `operation.*`; empty: all. */
  types: unknown
  /** JSON array of lower-case addresses; empty: all. */
  accounts: unknown
  /** JSON array of `{ secret, until }`, the newest first: every one signs until its time (null: always). */
  secrets: unknown
  created_at: Date
  failing_since: Date | null
  failures: Generated<number>
  next_attempt_at: Date | null
  disabled_at: Date | null
  disabled_reason: string | null
}

export type WebhookEndpointRow = Selectable<WebhookEndpointsTable>

/** An event for an endpoint. Of one account, the lowest pending position goes first, and alone. */
export interface WebhookDeliveriesTable {
  id: GeneratedAlways<number>
  endpoint_id: string
  event_id: number
  position: number
  account: string
  /** `missed`: given up, or its endpoint was disabled. */
  state: 'pending' | 'delivered' | 'missed'
  attempts: Generated<number>
  queued_at: Date
  /** While a process delivers it: when another one may. */
  next_attempt_at: Date
  answered_at: Date | null
  /** The HTTP status; null where nothing answered. */
  status: number | null
  /** The beginning of the answer, or why there was none. */
  answer: string | null
}

export type WebhookDeliveryRow = Selectable<WebhookDeliveriesTable>

/** What a contract's log says of an account: a change of its owners or sessions, or a transfer to it. */
export interface AccountLogsTable {
  network: number
  block_hash: string
  log_index: number
  block_number: number
  txn_hash: string
  account: string
  /** The event's type: `owner.added` */
  type: string
  /** The event's other members, as JSON. */
  data: unknown
  /** No reorg can remove it any more. */
  final: Generated<boolean>
  seen_at: Date
}

export type AccountLogRow = Selectable<AccountLogsTable>

/** Accounts to which a stream listens, or did until a short time ago: logs are read for nobody else. */
export interface AccountWatchesTable {
  /** In lower case; `*`: all of them. */
  account: string
  until: Date
}

/** How far the logs of a network were read. */
export interface LogWatchesTable {
  network: number
  /** Final, and the last one that was. */
  block_number: number
  next_look_at: Date
}

/** Background work that a process has begun. */
export interface PassesTable {
  /** The kind of work, and the network that it is about: `reconcile-1`. */
  name: string
  /** When the next one may begin. */
  next_at: Date
}
