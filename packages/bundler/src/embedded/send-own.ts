import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { LanyardError } from '@lanyard/contracts'
import type { RelayerTransactionRow } from '@lanyard/database'
import { blocksIn } from '@lanyard/networks'
import { sql } from 'kysely'
import { type Address, type Hex, type LocalAccount, parseTransaction } from 'viem'
import { ownCost } from '../bundle-gas.ts'
import type { OwnCallKind } from '../sender/context.ts'
import { lowestFree } from '../sender/free-nonces.ts'
import { type Lease, takeLease, underLease } from '../sender/lease.ts'
import { isUnwanted } from '../sender/send-raw-transaction.ts'
import { recordContents, sendTransaction, type TransactionContents } from '../sender/send-transaction.ts'
import type { ReplacementReason } from '../sender/sender-event.ts'
import { settleTransactions } from '../sender/settle-transactions.ts'
import type { TransactionFees } from '../sender/transaction-fees.ts'
import type { EmbeddedContext } from './context.ts'

export interface OwnCall {
  readonly to: Address
  readonly data: Hex
  /** What it achieves on this network. The call may consist of other bytes the next time, and still have the same intent. */
  readonly intent: string
  /**
   * It stops a theft: it goes before the queue, has a place of its own among what waits to be mined, and what was spent in
   * this hour does not hold it back. Default: false
   */
  readonly isUrgent?: boolean
}

/** Whether a transaction was signed for a call, or one is on its way already. */
export type OwnCallResult = 'sent' | 'waiting'

/** Milliseconds within which a node may not show the effect of a call that is mined. */
const lookBack = 300_000

/** Milliseconds to wait for a free relayer, and between polls. */
const maxWait = 10_000
const pause = 100

/**
 * Sends a call of the relayer's own, which contains no operation, between its bundles. It uses the same
 * lease, and a nonce from the same table. Of an intent at most one transaction waits to be mined: it is written under the
 * intent before it is sent, and a caller that asks again may have died before it noted that. A relayer pays for its calls
 * with a part of `relayerLossPerHour`, so that they never use up what replaces stuck transactions. On local networks gas
 * costs nothing.
 *
 * @returns `waiting` if nothing was signed, because a transaction with this intent waits to be mined or was mined lately
 * @throws BUNDLER_UNAVAILABLE if it costs every relayer too much now, so nothing was signed; NETWORK_UNAVAILABLE if no
 * relayer becomes free in time; NETWORK_FAILED if the node rejects it
 */
export async function sendOwn(
  context: EmbeddedContext,
  relayers: readonly LocalAccount[],
  call: OwnCall,
): Promise<OwnCallResult> {
  // A different holder than the drives of this process, so that the lease keeps the two apart.
  const own = { ...context, holder: randomUUID() }
  const able = new Set(relayers)
  for (let waited = 0; waited < maxWait && able.size > 0; waited += pause) {
    for (const relayer of able) {
      const taken = await takeLease(own, relayer.address, kindOf(call))
      const result = await underLease(own, taken, (lease) => send(own, lease, relayer, call))
      if (result === 'sent' || result === 'waiting') return result
      if (result === 'over-limit') able.delete(relayer)
    }
    if (able.size > 0) await delay(pause)
  }
  if (able.size === 0) {
    throw new LanyardError('BUNDLER_UNAVAILABLE', {
      message: "The network's fees are too high for the relayer to pay for this now. Try again later.",
    })
  }
  throw new LanyardError('NETWORK_UNAVAILABLE', { message: 'The relayer is busy. Try again.' })
}

async function send(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  call: OwnCall,
): Promise<OwnCallResult | 'full' | 'over-limit'> {
  const { network, inFlightLimit, now } = context
  const { to, data, intent } = call
  const kind = kindOf(call)
  const state = await settleTransactions(context, lease)
  const head = await network.call((client) => client.getBlockNumber({ cacheTime: 0 }))
  const same = { intent, since: head - blocksIn(network.config, lookBack) }
  if (await isOnItsWay(context, same)) return 'waiting'
  if (state.liveNonces.size >= inFlightLimit.current(now(), kind)) return 'full'
  const { maxFeePerGas, maxPriorityFeePerGas } = await network.fees()
  const fees = { maxFeePerGas, maxPriorityFeePerGas }
  const outcome = await sendTransaction(context, lease, relayer, {
    ...(await prepareCall(context, relayer.address, { to, data, kind }, fees)),
    nonce: lowestFree(state),
    fees,
    record: recordContents(context, lease, intentContents(context, same), intent),
    reason: 'own',
  })
  // Another relayer may have sent it in the meantime.
  if (outcome === undefined) return (await isOnItsWay(context, same)) ? 'waiting' : 'over-limit'
  if (outcome === 'nonce-too-high') {
    inFlightLimit.learn(state.liveNonces.size + 1, now())
    return 'full'
  }
  if (isUnwanted(outcome)) {
    throw new LanyardError('NETWORK_FAILED', {
      cause: new Error(`the node rejects a call of the relayer: ${String(outcome)}`),
    })
  }
  return 'sent'
}

const kindOf = ({ isUrgent = false }: Pick<OwnCall, 'isUrgent'>): OwnCallKind =>
  isUrgent ? 'urgent' : 'usual'

async function prepareCall(
  { network }: Pick<EmbeddedContext, 'network'>,
  account: Address,
  { to, data, kind }: Pick<OwnCall, 'to' | 'data'> & { readonly kind: OwnCallKind },
  { maxFeePerGas }: TransactionFees,
) {
  const estimated = await network.call((client) => client.estimateGas({ account, to, data }))
  const gas = estimated + estimated / 5n // the state may change before it is mined
  const loss = network.config.local ? 0n : await ownCost(network, { to, data, gas, maxFeePerGas })
  return { to, data, gas, loss, ownCall: kind }
}

/**
 * Sends a call of the relayer's own again, at higher fees.
 *
 * @returns false if nothing was sent: it would revert now, or costs too much
 */
export async function resendOwn(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  { row, fees, reason }: { row: RelayerTransactionRow; fees: TransactionFees; reason: ReplacementReason },
): Promise<boolean> {
  const { to, data = '0x' } = parseTransaction(row.raw as Hex) // written by this package as hex
  if (!to || row.intent === null) return false
  const call = { to, data, kind: kindOf({ isUrgent: row.urgent }) }
  const prepared = await prepareCall(context, relayer.address, call, fees).catch((error: unknown) => {
    if (error instanceof LanyardError && error.code === 'NETWORK_UNAVAILABLE') throw error
    // It would revert: it was done meanwhile, or is no longer due. Other transactions do not wait for it.
    return undefined
  })
  if (!prepared) return false
  const { nonce, intent, created_at: since, txn_hash } = row
  const outcome = await sendTransaction(context, lease, relayer, {
    ...prepared,
    ...{ nonce, fees, reason, replaced: { since, hash: txn_hash as Hex } }, // written by this package from a hash
    record: recordContents(context, lease, undefined, intent),
  })
  return outcome !== undefined && !isUnwanted(outcome)
}

interface SameIntent {
  readonly intent: string
  /** Of what is mined, later blocks count: a node may not show it yet. */
  readonly since: bigint
}

/** Whether a transaction with this intent waits to be mined, or was mined lately. */
async function isOnItsWay(
  { database, network }: Pick<EmbeddedContext, 'database' | 'network'>,
  { intent, since }: SameIntent,
): Promise<boolean> {
  const row = await database
    .selectFrom('relayer_transactions')
    .select('txn_hash')
    .where('network', '=', network.chainId)
    .where('intent', '=', intent)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'live'),
        eb.and([eb('state', '=', 'mined'), eb('block_number', '>', Number(since))]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Processes with different relayers hold different leases, so the intent is checked again where its row is written. */
const intentContents = (context: EmbeddedContext, same: SameIntent): TransactionContents => ({
  async lock(trx) {
    const key = `intent:${context.network.chainId}:${same.intent}`
    await sql`select pg_advisory_xact_lock(hashtext(${key}))`.execute(trx)
    return !(await isOnItsWay({ ...context, database: trx }, same))
  },
  link: async () => {},
})
