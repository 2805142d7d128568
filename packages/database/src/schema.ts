import type { AccountKind } from '@lanyard/contracts'
import type { Generated, GeneratedAlways, Insertable, Selectable } from 'kysely'

/**
 * The tables. Conventions: addresses and hashes are lower-case hex text; `numeric` columns hold integers and
 * are read as bigint, `int8` columns hold numbers below 2^53 and are read as number; times are timestamptz.
 */
export interface Database {
  users: UsersTable
  accounts: AccountsTable
  imported_accounts: ImportedAccountsTable
  operations: OperationsTable
  archived_operations: ArchivedOperationsTable
  every_operation: EveryOperationView
  account_backoffs: AccountBackoffsTable
  relayer_leases: RelayerLeasesTable
  relayer_transactions: RelayerTransactionsTable
  relayer_transaction_operations: RelayerTransactionOperationsTable
  relayer_losses: RelayerLossesTable
  credentials: CredentialsTable
  challenges: ChallengesTable
  identities: IdentitiesTable
  identity_names: IdentityNamesTable
  guardian_requests: GuardianRequestsTable
  relying_party: RelyingPartyTable
  account_modules: AccountModulesTable
  token_keys: TokenKeysTable
  idempotency_keys: IdempotencyKeysTable
  rate_limits: RateLimitsTable
  cost_levels: CostLevelsTable
  api_keys: ApiKeysTable
  smart_balance_ledger: SmartBalanceLedgerTable
  smart_balance_networks: SmartBalanceNetworksTable
  smart_balance_terms: SmartBalanceTermsTable
  orders: OrdersTable
  order_operations: OrderOperationsTable
  order_debits: OrderDebitsTable
  sponsorships: SponsorshipsTable
  sponsorship_days: SponsorshipDaysTable
  sponsorship_suspensions: SponsorshipSuspensionsTable
  gas_top_ups: GasTopUpsTable
  relayer_refills: RelayerRefillsTable
  watched_contracts: WatchedContractsTable
  alarms: AlarmsTable
  processes: ProcessesTable
  attestations: AttestationsTable
  settlement_debits: SettlementDebitsTable
  nonce_holds: NonceHoldsTable
  events: EventsTable
  event_positions: EventPositionsTable
  webhook_endpoints: WebhookEndpointsTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_tests: WebhookTestsTable
  gas_policy_edits: GasPolicyEditsTable
  account_logs: AccountLogsTable
  account_watches: AccountWatchesTable
  log_watches: LogWatchesTable
  ledger_networks: LedgerNetworksTable
  ledger_accounts: LedgerAccountsTable
  ledger_entries: LedgerEntriesTable
  passes: PassesTable
  owner_changes: OwnerChangesTable
  message_progress: MessageProgressTable
  recovery_watches: RecoveryWatchesTable
  owner_histories: OwnerHistoriesTable
  session_watches: SessionWatchesTable
  session_warnings: SessionWarningsTable
  guardian_sets: GuardianSetsTable
  known_guardians: KnownGuardiansTable
  guardian_problems: GuardianProblemsTable
  guardian_watches: GuardianWatchesTable
  recoveries: RecoveriesTable
  recovery_signatures: RecoverySignaturesTable
  audit_log: AuditLogTable
  audit_head: AuditHeadTable
  audit_deliveries: AuditDeliveriesTable
  operators: OperatorsTable
  operator_invitations: OperatorInvitationsTable
  operator_passkeys: OperatorPasskeysTable
  operator_challenges: OperatorChallengesTable
  operator_sessions: OperatorSessionsTable
  operator_identities: OperatorIdentitiesTable
  operator_proofs: OperatorProofsTable
  operator_approvals: OperatorApprovalsTable
}

/** What one app of an installation has to itself. */
interface TenantTable {
  /** The app: `default`, which is the only one. */
  project_id: Generated<string>
}

export interface UsersTable extends TenantTable {
  id: string
  kind: 'eoa' | 'passkey'
  /** As the user wrote it, NFKC. */
  username: string
  /** The form in which usernames are unique: `usernameKey(username)`. */
  username_key: string
  /**
   * The skeleton of the name (look-alikes share it): `usernameSkeleton(username)`, unique. Null for an older name that looks like another, which
   * keeps working.
   */
  username_skeleton: string | null
  /** The `usernameSkeletonVersion` that the skeleton follows. */
  skeleton_version: Generated<number>
  /** False for a name that looks like an e-mail address: search finds it by the whole name only. */
  listed: GeneratedAlways<boolean>
  /** An imported name that waits for its user: no request finds it, and no other user gets it. It has no account. */
  reserved: Generated<boolean>
  created_at: Date
}

/** One smart account per user. Its address depends on everything in `deployment` and on the first owner. */
export interface AccountsTable extends TenantTable {
  address: string
  user_id: string
  /**
   * The EOA of the initializer; null for passkey accounts, and for an EOA that is the account itself. Later owners never
   * appear here.
   */
  eoa_address: string | null
  /** Passkey accounts: the public key and the packed verifiers of the initializer. */
  passkey_x: bigint | null
  passkey_y: bigint | null
  passkey_verifiers: bigint | null
  /**
   * `AccountDeployment` of @lanyard/accounts as JSON: singleton, factory, module, signer, salt nonce, … Or
   * `DelegatedDeployment`, whose `kind` says that the EOA at `address` is the account. The deployment of an imported account
   * has its `address`, and an EOA of its owners as `owner`.
   */
  deployment: unknown
  created_at: Date
  /** Incremented with each signature that is written for it: a writer with an older count lost the race. */
  signatures: Generated<number>
  /** Incremented by each transaction that locks the account, and with each build. */
  version: Generated<number>
  /** False: anybody may have asked for it, so its EOA does not mean it until something is signed for it. */
  confirmed: Generated<boolean>
}

/** What an operator imported about an EOA. */
export interface ImportedAccountsTable {
  eoa_address: string
  /** Which account of the EOA gets the name. */
  account_kind: AccountKind
  /** The operator's own name of the user. */
  external_id: string | null
  /** The row of `users` that reserves the name; once claimed, the account's user. */
  user_id: string | null
  imported_at: Date
  /** When it lapses, unless it is claimed. */
  expires_at: Date
  /** When the EOA proved its key, and the account got the name. */
  claimed_at: Date | null
}

export type OperationRowState = 'built' | 'submitting' | 'submitted' | 'included' | 'dropped' | 'expired'

/**
 * A signed EIP-7702 authorisation, as JSON: the form of viem's `SignedAuthorization`. Numbers are JSON numbers, below
 * 2^53; `address` is the delegate; `r` and `s` are 32 bytes of hex.
 */
export interface StoredAuthorization {
  readonly chainId: number
  readonly address: `0x${string}`
  /** The nonce that the EOA has when the transaction with this authorisation is run. */
  readonly nonce: number
  readonly yParity: number
  readonly r: `0x${string}`
  readonly s: `0x${string}`
}

/**
 * User operations, stored before they are used.
 *
 * `built → submitting` (signed) `→ submitted` (the bundler has it) `→ included | dropped | expired`, and back from
 * included to submitted on a reorg. `final`: the state can no longer change.
 */
export interface OperationsTable {
  /** EntryPoint's hash: the identity of an operation, whatever its signature bytes are. */
  user_op_hash: string
  account: string
  network: number
  /** The EntryPoint's address, in lower case: v0.7 for Safes, v0.8 for delegated EOAs. */
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
  /** True if the operation deploys its account, or delegates it: it has an `initCode`. */
  deploys: boolean
  /**
   * The operation whose nonce this one takes over; null again if that was a build that was not signed in
   * time.
   */
  replaces: string | null
  /** Who asked for the build, while it is unsigned. */
  built_by: string | null
  /** Who sent the signature (`key:` and a name, or `address:` and an address), until the operation is final. */
  sent_by: Generated<string | null>

  state: OperationRowState
  final: Generated<boolean>
  built_at: Date
  /** The build can be signed until then. */
  build_expires_at: Date

  /** The complete `userOp.signature` for EntryPoint; null until signed. */
  signature: string | null
  /** Delegates its sender, in the transaction that carries it. It is written and deleted with the signature. */
  eip7702_auth: Generated<StoredAuthorization | null>
  signed_at: Date | null
  /** The chain's head when it was signed: its event cannot be in an earlier block. */
  signed_at_block: number | null
  /** The deliveries to the bundler so far, and when the worker may try the next one. */
  attempts: Generated<number>
  next_attempt_at: Date | null

  txn_hash: string | null
  block_number: number | null
  block_hash: string | null
  included_at: Date | null
  success: boolean | null
  /** wei */
  gas_cost: bigint | null
  /** What the account paid for its gas, in base units of the token that its `paymasterAndData` names. */
  fee_paid: Generated<bigint | null>
  /** An error code of ours, or the entry point's own name, for `dropped`, reverted, or still waiting. */
  reason_code: string | null
  reason_message: string | null
}

/** A final operation of a past month. The table has a partition for each month of `signed_at`, which can be detached. */
export interface ArchivedOperationsTable extends OperationsTable {
  /** Its row of `sponsorships`, as JSON. */
  sponsorship: unknown
  /** Hashes of the transactions that carried it, as JSON. */
  bundles: unknown
  archived_at: Date
}

/** A view of `operations` and `archived_operations`, for readers of the past. */
export interface EveryOperationView extends OperationsTable {}

/**
 * Who may send for a relayer now. `fence` is incremented for each new holder; a write with an older one is
 * rejected.
 */
export interface RelayerLeasesTable {
  network: number
  relayer: string
  holder: string
  fence: number
  expires_at: Date
  /** Until then it goes to a process with an urgent call; null: to any. */
  urgent_until: Generated<Date | null>
}

/**
 * Accounts whose operations failed in a bundle's simulation: until `next_at` none of their operations is picked.
 * The row is deleted when one of their operations is sent.
 */
export interface AccountBackoffsTable {
  network: number
  account: string
  failures: number
  next_at: Date
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
  /** When it was last sent to the node; null if never (written, then the process died). */
  sent_at: Date | null
  /** wei that a replacement costs its sender at most, because its operations do not pay them. */
  loss: Generated<bigint>
  /** Whether its cost was compared with what its operations paid. */
  audited: Generated<boolean>
  /** What a call of the relayer's own achieves: of an intent at most one is live. */
  intent: Generated<string | null>
  /** Whether its operation may revert, and nothing vouches for the account: of a caller, at most one such is live. */
  unproven: Generated<boolean>
  /** Whether such a call stops a theft: its replacements are paid as it is. */
  urgent: Generated<boolean>
  /** wei: what it cost its sender, and what EntryPoint paid for its operations; null until its receipt was read. Once mined, its `loss` counts with no more. */
  spent: Generated<bigint | null>
  earned: Generated<bigint | null>
}

export interface RelayerTransactionOperationsTable {
  txn_hash: string
  /** The index in the bundle, which FailedOp names. */
  position: number
  user_op_hash: string
}

/** What a bundle cost its relayer and nobody paid, by the operations that caused it. */
export interface RelayerLossesTable {
  txn_hash: string
  user_op_hash: string
  network: number
  account: string
  /** As in operations, for a day. */
  sent_by: string | null
  /**
   * `reverted`: its validation failed on chain. `raced`: somebody else brought it to the entry point first. `underpaid`: it
   * was included and paid less than its transaction cost.
   */
  reason: 'reverted' | 'raced' | 'underpaid'
  /** Its part of the transaction's cost. */
  wei: bigint
  /** What the account has to repay of it, wei: nothing if it cannot have caused it. */
  owed: bigint
  lost_at: Date
  /** The operation that repaid it; `forgiven` if the operator did. */
  repaid_by: string | null
}

export type RelayerLossRow = Selectable<RelayerLossesTable>
export type OperationRow = Selectable<OperationsTable>
export type NewOperationRow = Insertable<OperationsTable>
export type AccountRow = Selectable<AccountsTable>
/** An account without its counters, which order this service's own writes. */
export type AccountIdentity = Omit<AccountRow, 'signatures' | 'version' | 'confirmed'>
export type UserRow = Selectable<UsersTable>
export type RelayerTransactionRow = Selectable<RelayerTransactionsTable>
export type NewRelayerTransactionRow = Insertable<RelayerTransactionsTable>

/** A user's passkeys. Each chain says which of them own the account. */
export interface CredentialsTable {
  /** base64url without padding, the only form in which ids are compared. */
  id: string
  user_id: string
  /** COSE_Key, ES256. */
  public_key: Uint8Array
  /** The address of its signer contract, in lower case: who names it as a guardian names this passkey. */
  signer: string
  /**
   * The packed verifiers of its signer contract: a later change of the default must not change its address.
   */
  verifiers: bigint
  /** True for the passkey of the account's initializer, whose contract is the shared signer. */
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

/**
 * Random challenges, each for one ceremony of one subject. An operation's challenge is the operation's own
 * row.
 */
export interface ChallengesTable {
  /** base64url, as in clientDataJSON. */
  challenge: string
  ceremony: 'register' | 'authenticate' | 'discover' | 'credential' | 'login'
  /** The subject: `usernameKey` of a new user, or the ceremony's own subject. */
  subject: string
  /** The user, or the id of a new user; null if the ceremony has to identify the user. */
  user_id: string | null
  expires_at: Date
  used_at: Date | null
}

/** Logins at identity providers that name users. Who the person is at the provider is not stored. */
export interface IdentitiesTable extends TenantTable {
  /** HMAC-SHA-256 of issuer and subject, hex, with a secret of the service (IDENTITY_SECRETS). */
  hash: string
  /** The name of the link in answers. */
  id: string
  issuer: string
  user_id: string
  linked_at: Date
  used_at: Date | null
}

/** Usernames that logins without an account reserve: one each, for minutes. */
export interface IdentityNamesTable {
  /** As in `identities`. */
  hash: string
  issuer: string
  username_key: string
  /** As in `users`. */
  username_skeleton: string
  expires_at: Date
}

/** What logins asked the guardians of their account for. The newest of an account counts, until its end. */
export interface GuardianRequestsTable {
  id: string
  identity_id: string
  account: string
  /** JSON, as answers name an owner: `{ address }`, or `{ x, y, verifiers }`. */
  new_owner: unknown
  /** A network that tells the owner by its event. */
  network: number
  issuer: string
  requested_at: Date
  expires_at: Date
}

/** The relying party to which every passkey of this installation is bound forever. At most one row. */
export interface RelyingPartyTable extends TenantTable {
  only_row: Generated<boolean>
  rp_id: string
  /** JSON array of strings. */
  origins: unknown
}

/** The key that signs tokens if none is configured. At most one row. */
export interface TokenKeysTable {
  only_row: Generated<boolean>
  private_jwk: unknown
  created_at: Date
}

/**
 * The answer to a request with an Idempotency-Key.
 *
 * `running`: a process holds the claim until it expires. `unfinished`: it failed with a
 * transient error; the next request runs again. `finished`: the answer for as long as the row lives.
 */
export interface IdempotencyKeysTable {
  /** The caller's credentials as one text, since a key is valid for its caller only. */
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
  /** JSON as text, since jsonb would reorder its members; null while running. */
  answer: string | null
  created_at: Date
}

/** Requests of the current minute. */
export interface RateLimitsTable {
  key: string
  points: Generated<number>
  /** Milliseconds since 1970. */
  expire: number | null
}

/** API keys other than those of the environment. Revoked keys keep their rows, since a log may name them. */
export interface CostLevelsTable {
  /** The caller, or the network of addresses that it belongs to. */
  name: string
  /** Milliseconds of a processor that were used and not yet refilled, at `updated_at`. */
  level: number
  updated_at: Date
}

export interface ApiKeysTable extends TenantTable {
  /** The part of the key that may be shown: `lk_secret_` or `lk_public_` and eight characters. */
  id: string
  kind: 'secret' | 'publishable'
  /** Keys with the same name belong to one caller. */
  name: string
  /** SHA-256 of the whole key, hex. The key has 256 random bits, so no slower hash is needed. */
  key_hash: string
  /** JSON array of strings: the pages that may use a publishable key; empty for a secret one. */
  origins: unknown
  /** What the key may be used for. */
  scope: Generated<'full' | 'read' | 'support' | 'metrics'>
  /** A name of the operator's; keys with the same name share their limits. */
  project: Generated<string | null>
  created_at: Date
  revoked_at: Date | null
}

export type ApiKeyRow = Selectable<ApiKeysTable>

export type CredentialRow = Selectable<CredentialsTable>
export type NewCredentialRow = Insertable<CredentialsTable>

/** An account's deposit in SmartBalance on a network, as of a final block. Only a later block changes it. */
export interface SmartBalanceLedgerTable {
  account: string
  network: number
  /** 6 decimals; includes the exiting amount. */
  balance: bigint
  exiting: bigint
  /** Unix seconds; 0 without an exit. */
  exit_ready_at: number
  /** JSON array of the signer ids that are pinned without an end. */
  pinned_signers: unknown
  /** JSON array of the signer ids that were checked: those known to this service, and owners seen on chain. */
  asked_signers: unknown
  block_number: number
  /** Unix seconds. */
  block_timestamp: number
}

/** One row per network, locked to reserve its liquidity. */
export interface SmartBalanceNetworksTable {
  network: number
}

/** The terms last quoted to an account for a network, valid until they expire. */
export interface SmartBalanceTermsTable {
  account: string
  output_network: number
  terms: unknown
  /** Quotes on these terms extend `expires_at`, up to a limit. */
  made_at: Date
  expires_at: Date
}

/**
 * Orders of the smart balance: reserved amounts and outcomes.
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
  /** The part from the account's own deposit on the output network. */
  withdrawal_amount: bigint
  withdrawal_fee: bigint
  /**
   * The operator's co-signature over the withdrawal: usable by the account until its deadline, order or not.
   */
  withdrawal_salt: string | null
  /** Unix seconds: the last second in which it is usable. */
  withdrawal_deadline: number | null
  withdrawal_digest: string | null
  withdrawal_signature: string | null
  /** `used`, `lapsed`: a final block shows it used, or is past the deadline. */
  withdrawal_state: 'none' | 'open' | 'used' | 'lapsed'
  nonce_key: bigint
  nonce_sequence: bigint
  /** The signer of the order, as SmartBalance pins it. */
  signer_id: string
  /** wei */
  gas_budget: bigint
  state: 'RESERVED' | 'SUBMITTED' | 'CLAIMED' | 'FAILED' | 'ATTESTED' | 'SETTLED' | 'EXPIRED'
  reserved_at: Date
  expires_at: Date
  /** EIP-712 hash of the operation that was submitted, among its `order_operations`. */
  order_hash: string | null
  user_op_hash: string | null
  /** The transaction of the claim on the output network. */
  txn_hash: string | null
  block_number: number | null
  block_hash: string | null
  /** Its outcome on the output network; null until it is included, and again after a reorg. */
  outcome: Generated<'claimed' | 'failed' | null>
  /** When it became final. */
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
  /**
   * The complete `userOp.signature` that the output network accepted, from its log; null until that was read.
   */
  signature: Generated<string | null>
}

/** The amount that an order takes on a source network. */
export interface OrderDebitsTable {
  order_id: string
  network: number
  amount: bigint
  fail_fee: bigint
  state: 'RESERVED' | 'DUE' | 'SETTLED' | 'PARTIAL' | 'LOST' | 'RELEASED'
  /** Once proven: `amount` of a claimed order, `fail_fee` of a failed one. */
  due: bigint | null
  settled_amount: Generated<bigint>
  /** The hash of the last transaction that settled it. */
  txn_hash: string | null
  /** The settlements so far that took less than was due, when the next one may be tried, and why it waits. */
  attempts: Generated<number>
  next_attempt_at: Generated<Date | null>
  reason: Generated<string | null>
  /** When the settlement window passed before the full amount was collected. */
  closed_at: Generated<Date | null>
}

/** An attestor's statement about an order. Decided and written before it is signed, so it never changes. */
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
  /** The index in the batch. */
  position: number
  order_id: string
  network: number
  /** A final block has the transaction, and the ledger was read at a later final block. */
  final: Generated<boolean>
}

export type OrderRow = Selectable<OrdersTable>
export type NewOrderRow = Insertable<OrdersTable>
export type OrderDebitRow = Selectable<OrderDebitsTable>
export type NewOrderDebitRow = Insertable<OrderDebitsTable>
export type OrderOperationRow = Selectable<OrderOperationsTable>
export type NewOrderOperationRow = Insertable<OrderOperationsTable>
export type AttestationRow = Selectable<AttestationsTable>

/**
 * Operations whose gas is taken from a day's budgets. Orders with debits are not among them, since they pay
 * for their gas.
 */
export interface SponsorshipsTable {
  user_op_hash: string
  network: number
  account: string
  /**
   * `order`: without debits, so that its fee pays for its gas unless its calls revert. `token`: the account pays in a token
   * after its calls.
   */
  kind: 'sponsored' | 'order' | 'token'
  /** The gas policy that pays, by its id; null for an order of an earlier version. */
  policy: string | null
  /** The API key by which it was built, as one word; empty without a key. */
  caller: string
  /** A hash of who asked for it (`budgetCallerOf`); null in rows of an earlier version. */
  builder: string | null
  /** UTC, `2026-01-31`: the day whose budgets pay for it. */
  day: string
  /** wei, the maximum cost. */
  reserved: bigint
  /** Gas that the relayer pays for it, in addition to what EntryPoint charges the paymaster. */
  relayer_gas: Generated<number>
  /** False: promised by a build, so that only `promised` of the budgets counts it. */
  taken: Generated<boolean>
  /** wei, the actual cost once it is certain; 0 if it was never included. */
  charged: bigint | null
  /** How it was included, as far as a block shows; null: not seen. */
  verdict: Generated<SponsorshipVerdict | null>
  /** Unix seconds, after which it can no longer be included. */
  valid_until: number
  /** The chain's head when it was built: its event cannot be in an earlier block. */
  built_at_block: number
  created_at: Date
}

export type SponsorshipRow = Selectable<SponsorshipsTable>

/**
 * `fair`: sent by this service. `foreign`: others sent it, and only its caller can have given it to them.
 * `raced`: others sent it, after a transaction of this service had published it. `idle`: it used far less
 * gas than its estimate. `unpaid`: the account was to pay in a token, and did not.
 */
export type SponsorshipVerdict = 'fair' | 'foreign' | 'raced' | 'idle' | 'unpaid'

/** Who gets no sponsorship for some time. */
export interface SponsorshipSuspensionsTable {
  network: number
  /** `account:` and an address, or `caller:` and the builder of a sponsorship. */
  subject: string
  /** In words, for the caller. */
  reason: string
  user_op_hash: string
  since: Date
  until: Date
}

/** The used part of a budget on one network. */
export interface SponsorshipDaysTable {
  /** 0: of all networks together. */
  network: number
  /**
   * Gas policies: `policy:` and an id, with the account, the caller or the API key if it is theirs. Deployments: `deployments:`
   * and the caller. Changes and recoveries of owners: `owners:` and who shares it.
   */
  budget: string
  /** UTC, or `total` for all days together. */
  day: string
  /** wei: `settled` plus the reserved amount. */
  taken: bigint
  /** wei, the certain cost of operations. */
  settled: Generated<bigint>
  /** The number of operations that were included, or may still be. */
  operations: Generated<number>
  /** wei, the maximum cost of builds that nobody has submitted. */
  promised: Generated<bigint>
  /** Their number. */
  promises: Generated<number>
}

/** Top-ups of SmartBalance's gas deposit that the top-up key signed: one row of relayer_transactions each. */
export interface GasTopUpsTable {
  txn_hash: string
  network: number
  sender: string
  /** At most one of those with the same nonce is ever mined. */
  nonce: number
  /** wei */
  amount: bigint
  created_at: Date
  /** It is in a final block. */
  final: boolean
}

/** What the treasury sent to relayers. */
export interface RelayerRefillsTable {
  txn_hash: string
  network: number
  /** The treasury. */
  sender: string
  /** At most one of those with the same nonce is ever mined. */
  nonce: number
  relayer: string
  /** wei */
  amount: bigint
  /** The most that the transaction itself can cost, wei. */
  fee: bigint
  created_at: Date
  /** It is in a final block. */
  final: boolean
}

/** How far the events of a network's SmartBalance have been read. */
export interface WatchedContractsTable {
  network: number
  /** The last final block that was read. */
  block_number: number
}

/** A process that runs, or that died. One that stops deletes its row. */
export interface ProcessesTable {
  id: string
  /** Comma-separated, in the order of ROLES. */
  roles: string
  host: string
  version: string
  started_at: Date
  /** Renewed while it lives. */
  seen_at: Date
}

/** What a watch of a chain found that an operator must know, for as long as it is true. */
export interface AlarmsTable {
  network: number
  kind: 'governance' | 'unexplained-gas' | 'recovery' | 'owner-split'
  /** The log that raised it: its transaction's hash and its index in the block. */
  log: string
  /** What it is about, and what ends it names as well: a proposed attestor, a recovery, an account. */
  topic: string
  /** The name of a governance event; empty otherwise. */
  event: string
  wei: bigint
  block_number: number
  /** Whether its block is. */
  final: boolean
  ends_at: Date
}

/**
 * Builds whose payer is signing. Their builder prefers other lanes in the meantime; others ignore them. The
 * row is deleted with the build; if the process dies, it expires.
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
  /**
   * The order in which events are read: an event is never visible before one of a lower position. Null until
   * assigned.
   */
  position: number | null
  /** `operation.included` */
  type: string
  account: string
  network: number
  /** The members besides account and network, as JSON. */
  data: unknown
  created_at: Generated<Date>
}

export type EventRow = Selectable<EventsTable>

/** The last assigned position. One row, locked to assign positions. */
export interface EventPositionsTable {
  only_row: Generated<boolean>
  last: number
}

/** A webhook endpoint. */
export interface WebhookEndpointsTable extends TenantTable {
  id: string
  /** The API key that it belongs to. */
  key_name: string
  url: string
  /** JSON array: `operation.included`, `operation.*`; empty: all. */
  types: unknown
  /** JSON array of lower-case addresses; empty: all. */
  accounts: unknown
  /** JSON array of `{ secret, until }`, the newest first; each signs until its time (null: always). */
  secrets: unknown
  created_at: Date
  failing_since: Date | null
  failures: Generated<number>
  next_attempt_at: Date | null
  disabled_at: Date | null
  disabled_reason: string | null
}

export type WebhookEndpointRow = Selectable<WebhookEndpointsTable>

/** The last test event of an endpoint that somebody asked for in the console. */
export interface WebhookTestsTable {
  endpoint_id: string
  requested_at: Date
  /** While a process sends it, the time from which another process may. */
  next_attempt_at: Date
  answered_at: Date | null
  /** The HTTP status; null if there was no answer. */
  status: number | null
  answer: string | null
}

/** An edit of the gas policies in the console. The one with the highest number counts. */
export interface GasPolicyEditsTable extends TenantTable {
  /** 1, 2, 3, … */
  number: number
  /** A list as in POLICIES_FILE, where `paymaster` may be `"file"`; null: the file counts again. */
  policies: unknown
  /** Whoever made it. */
  editor: string
  created_at: Date
}

/** An event for an endpoint. Of one account, the lowest pending position goes first, and alone. */
export interface WebhookDeliveriesTable {
  id: GeneratedAlways<number>
  endpoint_id: string
  event_id: number
  position: number
  account: string
  /** `missed`: out of attempts, or its endpoint was disabled. */
  state: 'pending' | 'delivered' | 'missed'
  attempts: Generated<number>
  queued_at: Date
  /** While a process delivers it, the time from which another process may. */
  next_attempt_at: Date
  answered_at: Date | null
  /** The HTTP status; null if there was no answer. */
  status: number | null
  /** The start of the answer, or why there was none. */
  answer: string | null
}

export type WebhookDeliveryRow = Selectable<WebhookDeliveriesTable>

/** How far the events of operations of session keys were looked at on each network. */
export interface SessionWatchesTable {
  network: number
  position: number
}

/** The last warning of each type about a session key. Writing one writes its event. */
export interface SessionWarningsTable {
  account: string
  network: number
  key_id: string
  type: 'session.emptied' | 'session.failing'
  /** The operation that caused it. */
  user_op_hash: string
  warned_at: Date
}

/** A contract's log about an account: a change of its owners or sessions, or a transfer to it. */
/** How far a network's ledger was read. */
export interface LedgerNetworksTable {
  network: number
  /** All accounts without `read_to` are complete up to this block. */
  block_number: number
  block_at: Date
  /** Counts the accounts that joined: a page that was read without one is not written. */
  joins: Generated<number>
  read_at: Date
  next_read_at: Date
}

/** An account whose entries are read, on one network. */
export interface LedgerAccountsTable {
  account: string
  network: number
  /** Every entry from this block on is known; earlier ones are summed up in `opening` entries. */
  complete_from: number
  complete_at: Date
  /** Null: as far as its network. */
  read_to: number | null
  /** The last block at which `balances` were compared with the entries. */
  reconciled_block: number | null
  /** Decimal strings by `<holding>:<asset>`. */
  balances: Generated<unknown>
  reconcile_at: Date
}

export type LedgerKind =
  | 'opening'
  | 'transfer_in'
  | 'transfer_out'
  | 'deposit'
  | 'withdrawal'
  | 'withdrawal_fee'
  | 'exit'
  | 'order_credit'
  | 'order_debit'
  | 'fee'
  | 'gas_withdrawal'
  | 'unexplained'

/** An amount that came or went, as a final block shows it. Rows are only inserted. */
export interface LedgerEntriesTable {
  account: string
  network: number
  block_number: number
  log_index: number
  part: number
  at: Date
  kind: LedgerKind
  /** `account`: its balance and its gas deposits in EntryPoints. `smart_balance`: its deposit there, with 6 decimals. */
  holding: 'account' | 'smart_balance'
  /** `native`, or the token's address. */
  asset: string
  /** In the smallest unit; negative for what went. */
  amount: bigint
  counterparty: string | null
  txn_hash: string | null
  user_op_hash: string | null
  order_hash: string | null
  /** Of a fee: what the operation's gas cost, wei, whoever paid it. */
  gas_cost: bigint | null
  payer: string | null
  since_block: number | null
}

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

/** Accounts that a stream listens to, or did until recently: logs are read only for these. */
export interface AccountWatchesTable {
  /** In lower case; `*`: all of them. */
  account: string
  until: Date
}

/** How far the logs of a network were read. */
export interface LogWatchesTable {
  network: number
  /** The last final block that was read. */
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

/** Owner changes that were signed once for all networks; kept forever, because later networks need them. */
export interface OwnerChangesTable {
  account: string
  sequence: bigint
  /** bytes32 and bytes of the message, and the signature in Safe's encoding. */
  kind: string
  data: string
  signature: string
  /** What was signed. */
  hash: string
  /** Whose budget pays. */
  sent_by: string
  created_at: Date
}

/** What owners sign for all networks, what guardians sign to start a recovery, and what they sign to take recoveries back. */
export type MessageKind = 'change' | 'recovery' | 'cancellation'

/** `running`: a recovery that waits for its delay. `cancelled`: it can do nothing more on the network. */
export type MessageState = 'pending' | 'running' | 'executed' | 'cancelled'

/** How far a network is with a message of owners or guardians. */
export interface MessageProgressTable {
  account: string
  /** What was signed. */
  hash: string
  network: number
  kind: MessageKind
  state: Generated<MessageState>
  /** No reorg can change the state, and nothing is left to do. */
  final: Generated<boolean>
  /** Why it is pending. */
  reason: string | null
  /** Attempts that failed or were not made, in a row. */
  attempts: Generated<number>
  next_attempt_at: Date
  /** When a transaction with it was sent last. */
  sent_at: Date | null
  /** The account's head there at the sequence of what guardians signed. */
  head: string | null
  /** When this service first saw it in a block. */
  executed_at: Date | null
}

/** The modules that accounts are created with; at most one row. */
export interface AccountModulesTable {
  only_row: Generated<boolean>
  /** The address of Ownership; null: accounts are created without it. */
  ownership: string | null
}

/** Guardians of an account that were in force on a network, which stores only their hash. */
export interface GuardianSetsTable {
  account: string
  hash: string
  /** The encoded set. */
  data: string
  created_at: Date
}

/** What is known of a guardian of an account. */
export interface KnownGuardiansTable {
  account: string
  guardian: string
  /** x ‖ y ‖ verifiers of the passkey whose signer contract it is; null for another guardian. */
  key: string | null
  /** Whose passkey it is or was. */
  user_id: string | null
  /** When they last showed that they can sign; null: never. */
  proven_at: Date | null
}

/** A guardian who cannot sign for an account on a network, as of the last check. Its trigger writes the events. */
export interface GuardianProblemsTable {
  account: string
  guardian: string
  network: number
  problem: string
}

/** When the guardians of an account are checked next. */
export interface GuardianWatchesTable {
  account: string
  next_check_at: Date
}

/** A recovery that a guardian signed, or that guardians take recoveries back. */
export interface RecoveriesTable {
  account: string
  /** What guardians sign. */
  hash: string
  sequence: bigint
  /** Of the messages of this sequence; a higher one replaces what a lower one started. */
  number: bigint
  /** The encoded owners; null if it takes back recoveries. */
  new_owners: string | null
  /** How many of them sign then; null as well. */
  new_threshold: bigint | null
  /** What its execution adds to the head; null as well. */
  result: string | null
  /** The account's head at this sequence, from which follows what was applied after it. */
  head: string
  /** Whose budget pays. */
  sent_by: string
  created_at: Date
  /** When enough guardians had signed for one network. */
  complete_at: Date | null
}

/** A guardian's signature over a recovery. */
export interface RecoverySignaturesTable {
  account: string
  hash: string
  guardian: string
  /** Where its contract accepted it; 0 for a signature of a key or a passkey, which holds everywhere. */
  network: number
  signature: string
  /** x ‖ y ‖ verifiers of the passkey whose signer contract the guardian is; null for another guardian. */
  key: string | null
  created_at: Date
}

/** The last final block up to which a network's recoveries were read. */
export interface RecoveryWatchesTable {
  network: number
  block_number: number
}

/** Accounts with owner changes that a network applied before this service read its logs. */
export interface OwnerHistoriesTable {
  network: number
  account: string
  attempts: Generated<number>
  next_attempt_at: Date
}

/** An act of an operator. Rows are never changed or deleted. */
export interface AuditLogTable {
  /** 1, 2, 3, … without gaps. */
  position: number
  at: Date
  /** Who acted: `cli:alice`, `console:alice`, `service:api,worker`. */
  actor: string
  /** From where: a host, or a prefix of an address. */
  source: string
  /** `key.create` */
  act: string
  /** What was acted on; empty if the act says all. */
  subject: string
  /** JSON; null: there was nothing before. */
  before: unknown
  /** JSON; null: there is nothing any more. */
  after: unknown
  /** JSON: the issuer and subject of who acted, or that it was a break-glass operator; null for everybody else. */
  identity: unknown
  /** The hash of the row before, or 64 zeros. */
  previous_hash: string
  /** SHA-256 of everything else, hex. */
  hash: string
}

export type AuditLogRow = Selectable<AuditLogTable>

/** The end of the chain of the audit log. */
export interface AuditHeadTable {
  only_row: Generated<boolean>
  position: number
  hash: string
}

/** How far the audit log has left the house. */
export interface AuditDeliveriesTable {
  /** A URL without its query, or `file:` and a path. */
  destination: string
  /** Of the last entry that it has. */
  position: number
  delivered_at: Date
}

/** A person who may use the console. */
export interface OperatorsTable {
  id: string
  /** Unique; the name under which acts are recorded. */
  name: string
  role: 'viewer' | 'support' | 'operator' | 'admin'
  /** May sign in with a passkey when the others may only sign in at the identity provider. */
  break_glass: Generated<boolean>
  created_at: Date
  disabled_at: Date | null
}

/** The person at an identity provider that an operator is. */
export interface OperatorIdentitiesTable {
  issuer: string
  /** `sub`: it never changes and is never used again. */
  subject: string
  operator_id: string
  created_at: Date
}

/** A link with which an operator registers one passkey. */
export interface OperatorInvitationsTable {
  /** SHA-256 of the link's token, hex. */
  token_hash: string
  operator_id: string
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

/** An operator's passkey. It signs in to the console and owns no account. */
export interface OperatorPasskeysTable {
  /** base64url without padding. */
  id: string
  operator_id: string
  /** COSE_Key, ES256. */
  public_key: Uint8Array
  counter: number
  backup_eligible: boolean
  /** JSON array of strings. */
  transports: unknown
  /** Whether nobody has vouched for it yet: it confirms nothing. */
  waiting: Generated<boolean>
  created_at: Date
  last_used_at: Date | null
}

/** Random challenges of the console's ceremonies. An answer deletes its row. */
export interface OperatorChallengesTable {
  challenge: string
  /** The invitation for which a passkey is registered; null for a sign-in. */
  token_hash: string | null
  /** What an assertion over it confirms; null for a sign-in or an invitation. */
  purpose: string | null
  expires_at: Date
}

/** Browsers that are signed in to the console. */
export interface OperatorSessionsTable {
  /** The name of the session in lists and records. */
  id: string
  /** SHA-256 of the cookie's token, hex. */
  token_hash: string
  operator_id: string
  /** Where it signed in from. */
  address: string
  user_agent: string
  created_at: Date
  last_seen_at: Date
  expires_at: Date
  revoked_at: Date | null
}

/** When the identity provider last stood by a session. */
export interface OperatorProofsTable {
  session_id: string
  proved_at: Date
  /** Since when a process asks the provider; null while none does. */
  asked_at: Date | null
  /** When the provider did not answer; null once it has. */
  failed_at: Date | null
  /** The provider's tokens, encrypted with a key that only the session's cookie gives. */
  sealed: string
}

/** Acts that wait for a second person, or did. */
export interface OperatorApprovalsTable {
  id: string
  /** The procedure: `keys.create` */
  act: string
  /** JSON: its input. */
  input: unknown
  /** SHA-256 of both, hex. */
  hash: string
  /** JSON: the id and hash of a secret that its requester has seen; null for an act that makes none. */
  made: unknown
  requested_by: string
  /** Where it was requested from. */
  address: string
  requested_at: Date
  expires_at: Date
  state: Generated<'waiting' | 'approved' | 'rejected' | 'withdrawn' | 'expired'>
  decided_by: string | null
  decided_at: Date | null
}

export type OperatorRow = Selectable<OperatorsTable>
