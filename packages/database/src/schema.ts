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
}

export interface UsersTable {
  id: string
  kind: 'eoa' | 'passkey'
  /** As the user wrote it, NFKC. */
  username: string
  /** The form in which usernames are unique: `usernameKey(username)`. */
  username_key: string
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
  /** Native value that the calls send, wei. */
  value: bigint
  /** True when the operation deploys its account. */
  deploys: boolean
  /** The operation whose nonce this one took over. */
  replaces: string | null

  state: OperationRowState
  final: Generated<boolean>
  built_at: Date
  /** A build that nobody signed gives its lane back then. */
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

/** Transactions of the embedded bundler's relayers, written before they are sent. */
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
  /** Whom it is for: `usernameKey` of a new user, else what the ceremony names. */
  subject: string
  /** The user, or the id that a new one gets; null while the ceremony is to find out who it is. */
  user_id: string | null
  expires_at: Date
  used_at: Date | null
}

/** What every passkey of this installation is bound to for ever. At most one row. */
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

export type CredentialRow = Selectable<CredentialsTable>
export type NewCredentialRow = Insertable<CredentialsTable>
