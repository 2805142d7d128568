import type { Call, WireUserOperation } from '@lanyard/accounts'
import { recoverFast } from '@lanyard/accounts/recover'
import { toOperation } from '@lanyard/bundler'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { type Database, type OperationRow, readOperationEvents } from '@lanyard/database'
import type { Kysely } from 'kysely'
import {
  type Address,
  concat,
  getAddress,
  type Hash,
  type Hex,
  hashMessage,
  numberToHex,
  size,
  slice,
} from 'viem'
import { type AnyWallet, accountOf } from '../../accounts/accounts/wallet.ts'

/** The calls of an operation; none if its call data is not as this service makes it. */
export function callsOf(row: OperationRow, wallet: AnyWallet): readonly Call[] {
  const decoded = accountOf(wallet).decodeCalls(toOperation(row).callData)
  return decoded.ok ? decoded.calls : []
}

/** What an operation paid for its gas in a token, for answers. */
export function toFeePaid({ fee_paid, user_op }: Pick<OperationRow, 'fee_paid' | 'user_op'>) {
  if (fee_paid === null) return {}
  const { paymasterAndData = '0x' } = user_op as Partial<WireUserOperation> // the service's own JSON form
  // TokenPaymaster's data: its address, its gas limits, the token.
  return { feePaid: { token: getAddress(slice(paymasterAndData as Hex, 52, 72)), amount: String(fee_paid) } }
}

/** An operation that this service has a row of, as activity lists it. */
export function toActivityEntry(row: OperationRow, calls: readonly Call[]) {
  const { paymasterAndData = '0x' } = row.user_op as Partial<WireUserOperation> // the service's own JSON form
  return {
    userOpHash: row.user_op_hash as Hash, // the column holds 0x and 64 digits
    network: String(row.network),
    state: row.state,
    final: row.final,
    ...(row.success !== null && { success: row.success }),
    ...(row.txn_hash !== null && { txnHash: row.txn_hash as Hash }),
    signedAt: (row.signed_at ?? row.built_at).toISOString(),
    ...(row.included_at !== null && { includedAt: row.included_at.toISOString() }),
    ...(row.gas_cost !== null && { gasCost: String(row.gas_cost) }),
    ...toFeePaid(row),
    ...(paymasterAndData.length >= 42 && { paymaster: getAddress(paymasterAndData.slice(0, 42)) }),
    sender: getAddress(row.account),
    calls: calls.map(toDetail),
    ...(row.reason_code !== null && { reason: { code: row.reason_code, message: row.reason_message ?? '' } }),
  }
}

export const toDetail = ({ to, value, data }: Call) => ({
  targetContractAddress: getAddress(to),
  value: String(value),
  encodedData: data,
})

type Step = NonNullable<EndpointOutput<typeof endpoints.smartAccount.status>['history']>[number]

/** What an event of the database's trigger (migration 0020) is called here. */
const stepOfEvent: Readonly<Record<string, Step['what']>> = {
  'operation.included': 'included',
  'operation.reverted': 'reverted',
  'operation.reorged': 'reorged',
  'operation.dropped': 'dropped',
  'operation.replaced': 'replaced',
  'operation.final': 'final',
}

/**
 * The life of a signed operation, oldest step first. Events are deleted after 30 days: then the row says when it was
 * included. The transactions of archived operations are not read.
 */
export async function readOperationHistory(
  database: Kysely<Database>,
  row: OperationRow,
): Promise<readonly Step[]> {
  const [sent, events] = await Promise.all([
    database
      .selectFrom('relayer_transaction_operations as part')
      .innerJoin('relayer_transactions as sent', 'sent.txn_hash', 'part.txn_hash')
      .select(['sent.txn_hash', 'sent_at'])
      .where('part.user_op_hash', '=', row.user_op_hash)
      .where('sent_at', 'is not', null)
      .orderBy('sent_at')
      .limit(maxSteps)
      .execute(),
    readOperationEvents(database, row.user_op_hash, maxSteps),
  ])
  const steps: { what: Step['what']; at: Date; txnHash?: string | null }[] = [
    { what: 'built', at: row.built_at },
    ...(row.signed_at ? [{ what: 'signed' as const, at: row.signed_at }] : []),
    ...sent.flatMap(({ txn_hash, sent_at }) =>
      sent_at ? [{ what: 'sent' as const, at: sent_at, txnHash: txn_hash }] : [],
    ),
    ...events.flatMap(({ type, created_at, txnHash }) => {
      const what = stepOfEvent[type]
      return what ? [{ what, at: created_at, txnHash }] : []
    }),
  ]
  const isIncluded = steps.some(({ what }) => what === 'included' || what === 'reverted')
  if (!isIncluded && row.included_at)
    steps.push({
      ...{ what: row.success === false ? 'reverted' : 'included', at: row.included_at },
      txnHash: row.txn_hash,
    })
  return steps
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ what, at, txnHash }) => ({
      ...{ what, at: at.toISOString() },
      ...(typeof txnHash === 'string' && { txnHash: txnHash as Hash }), // the columns hold 0x and 64 digits
    }))
}

/** Transactions and events that are read at most: an operation has few, unless reorgs repeat. */
const maxSteps = 50

/** Bytes of the validity that the Safe's module reads before the owner's signature. */
const validityBytes = 12

/** Bytes of a signature's fixed part: r, s and v. */
const fixedBytes = 65

/** `eth_sign` adds this to v. */
const ofMessage = 4

/**
 * The owner that signed an operation, as `Safe.checkNSignatures` reads it from the signature: a contract's address (v is 0), or
 * the address of the key that signed the hash, as it is or as a message. Undefined if the signature is not as this service
 * writes it.
 */
export async function signerOf({
  signature,
  safe_op_hash,
}: Pick<OperationRow, 'signature' | 'safe_op_hash'>): Promise<Address | undefined> {
  const written = signature as Hex | null // the column holds hex
  if (!written || size(written) < fixedBytes) return undefined
  // An EOA that is the account itself signs without a validity.
  const start = size(written) === fixedBytes ? 0 : validityBytes
  if (size(written) < start + fixedBytes) return undefined
  const fixed = slice(written, start, start + fixedBytes)
  const v = Number(slice(fixed, 64))
  if (v === 0) return getAddress(slice(fixed, 12, 32))
  const hash = safe_op_hash as Hash // the column holds 0x and 64 digits
  const isMessage = v > 30
  return recoverFast({
    hash: isMessage ? hashMessage({ raw: hash }) : hash,
    signature: concat([slice(fixed, 0, 64), numberToHex(isMessage ? v - ofMessage : v)]),
  }).catch(() => undefined)
}
