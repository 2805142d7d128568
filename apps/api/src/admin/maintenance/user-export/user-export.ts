import type {
  AccountIdentity,
  AttestationRow,
  CredentialRow,
  OperationRow,
  OrderDebitRow,
  OrderOperationRow,
  OrderRow,
  SponsorshipRow,
  UserRow,
} from '@lanyard/database'
import { z } from 'zod'
import { bytes, hexText, integer, json, numeric, rowOf, time } from './columns.ts'

const nullable = <T extends z.ZodType>(schema: T) => schema.nullable()

/** `username_key`, `username_skeleton` and `listed` follow from the name. */
const user = rowOf<Omit<UserRow, 'username_key' | 'username_skeleton' | 'listed'>>()({
  id: z.guid(),
  kind: z.enum(['eoa', 'passkey']),
  username: z.string(),
  created_at: time,
})

const account = rowOf<AccountIdentity>()({
  address: hexText,
  user_id: z.guid(),
  eoa_address: nullable(hexText),
  passkey_x: nullable(numeric),
  passkey_y: nullable(numeric),
  passkey_verifiers: nullable(numeric),
  deployment: json,
  created_at: time,
})

/** Public keys; the private ones never leave the authenticator. */
const credential = rowOf<CredentialRow>()({
  id: z.string(),
  user_id: z.guid(),
  public_key: bytes,
  verifiers: numeric,
  first_owner: z.boolean(),
  label: z.string(),
  counter: integer,
  backup_eligible: z.boolean(),
  backed_up: z.boolean(),
  transports: json,
  aaguid: z.guid(),
  created_at: time,
  last_used_at: nullable(time),
})

const operation = rowOf<OperationRow>()({
  user_op_hash: hexText,
  account: hexText,
  network: integer,
  entry_point: hexText,
  nonce_key: numeric,
  nonce_sequence: numeric,
  user_op: json,
  safe_op_hash: hexText,
  valid_after: integer,
  valid_until: integer,
  sign_mode: z.enum(['ECDSA', 'SESSION_KEY', 'WEBAUTHN']),
  session_key: json,
  value: numeric,
  deploys: z.boolean(),
  replaces: nullable(hexText),
  built_by: z.null(),
  sent_by: z.null().default(null),
  state: z.enum(['built', 'submitting', 'submitted', 'included', 'dropped', 'expired']),
  final: z.boolean(),
  built_at: time,
  build_expires_at: time,
  signature: nullable(hexText),
  signed_at: nullable(time),
  signed_at_block: nullable(integer),
  attempts: integer,
  next_attempt_at: nullable(time),
  txn_hash: nullable(hexText),
  block_number: nullable(integer),
  block_hash: nullable(hexText),
  included_at: nullable(time),
  success: nullable(z.boolean()),
  gas_cost: nullable(numeric),
  reason_code: nullable(z.string()),
  reason_message: nullable(z.string()),
})

const sponsorship = rowOf<SponsorshipRow>()({
  user_op_hash: hexText,
  network: integer,
  account: hexText,
  kind: z.enum(['sponsored', 'order']),
  policy: nullable(z.string()).default(null),
  caller: z.string(),
  builder: nullable(z.string()).default(null),
  day: z.iso.date(),
  reserved: numeric,
  taken: z.boolean().default(true),
  charged: nullable(numeric),
  verdict: nullable(z.enum(['fair', 'foreign', 'raced', 'idle'])).default(null),
  valid_until: integer,
  built_at_block: integer,
  created_at: time,
})

const attestation = rowOf<AttestationRow>()({
  order_hash: hexText,
  attestor: hexText,
  outcome: z.enum(['claimed', 'failed']),
  block_number: integer,
  block_hash: hexText,
  decided_at: time,
  signature: nullable(hexText),
})

const orderOperation = rowOf<OrderOperationRow>()({
  order_hash: hexText,
  order_id: hexText,
  user_op_hash: hexText,
  paymaster_and_data: hexText,
  valid_until: integer,
  created_at: time,
  signature: nullable(hexText),
})

const debit = rowOf<OrderDebitRow>()({
  order_id: hexText,
  network: integer,
  amount: numeric,
  fail_fee: numeric,
  state: z.enum(['RESERVED', 'DUE', 'SETTLED', 'PARTIAL', 'LOST', 'RELEASED']),
  due: nullable(numeric),
  settled_amount: numeric,
  txn_hash: nullable(hexText),
  attempts: integer,
  next_attempt_at: nullable(time),
  reason: nullable(z.string()),
  closed_at: nullable(time),
})

const order = rowOf<OrderRow>()({
  order_id: hexText,
  account: hexText,
  output_network: integer,
  type: z.enum(['AMOUNT_OUT', 'AMOUNT_IN']),
  amount: numeric,
  fee: numeric,
  total: numeric,
  claim_amount: numeric,
  withdrawal_amount: numeric,
  withdrawal_fee: numeric,
  withdrawal_salt: nullable(hexText),
  withdrawal_deadline: nullable(integer),
  withdrawal_digest: nullable(hexText),
  withdrawal_signature: nullable(hexText),
  withdrawal_state: z.enum(['none', 'open', 'used', 'lapsed']),
  nonce_key: numeric,
  nonce_sequence: numeric,
  signer_id: hexText,
  gas_budget: numeric,
  state: z.enum(['RESERVED', 'SUBMITTED', 'CLAIMED', 'FAILED', 'ATTESTED', 'SETTLED', 'EXPIRED']),
  reserved_at: time,
  expires_at: time,
  order_hash: nullable(hexText),
  user_op_hash: nullable(hexText),
  txn_hash: nullable(hexText),
  block_number: nullable(integer),
  block_hash: nullable(hexText),
  outcome: nullable(z.enum(['claimed', 'failed'])),
  closed_at: nullable(time),
})

/**
 * The version that this code writes and reads. It is increased for a change that an older reader would
 * misread.
 */
export const userExportVersion = 1

/**
 * The data of an installation about a user, complete enough that another installation can continue with it.
 * Rows have the names of the database's columns. It contains no secret: signatures are meant to be published,
 * and the keys of passkeys are public keys.
 */
export const userExport = z.strictObject({
  format: z.literal('lanyard-user'),
  version: z.literal(userExportVersion),
  exported_at: time,
  /** The domain of the passkeys: they do not work on another one. */
  rp_id: z.string().nullable(),
  user,
  account,
  credentials: z.array(credential),
  operations: z.array(operation),
  /** The operations whose gas the service pays for. Absent in exports by older versions. */
  sponsorships: z.array(sponsorship).default([]),
  orders: z.array(order),
  order_operations: z.array(orderOperation),
  order_debits: z.array(debit),
  attestations: z.array(attestation),
  /** The state on the chains, for a reader; never imported. Null: not requested. */
  derived: z.json(),
})

/** Decoded: bigint, Date, bytes. */
export type UserExport = z.output<typeof userExport>
