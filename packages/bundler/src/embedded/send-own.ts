import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { LanyardError } from '@lanyard/contracts'
import { sql } from 'kysely'
import { type Address, type Hex, isAddressEqual, type LocalAccount, parseTransaction } from 'viem'
import { ownCost } from '../l1-data/own-cost.ts'
import { lowestFree } from '../sender/free-nonces.ts'
import { type Lease, takeLease } from '../sender/lease.ts'
import { isUnwanted } from '../sender/node-rejections.ts'
import { sendTransaction } from '../sender/send-transaction.ts'
import { settleTransactions } from '../sender/settle-transactions.ts'
import { underLease } from '../sender/under-lease.ts'
import type { EmbeddedContext } from './context.ts'

interface OwnCall {
  readonly to: Address
  readonly data: Hex
}

/** Milliseconds within which a node may not show the effect of a call that is mined. */
const lookBack = 300_000

/** Milliseconds to wait for a free relayer, and between polls. */
const maxWait = 10_000
const pause = 100

/**
 * Sends a call of the relayer's own, which contains no operation, between its bundles. It uses the same
 * lease, and a nonce from the same table. A call that is on its way already is not sent again: whoever asks may have
 * died before it noted that. A relayer pays for its calls with at most half of `relayerLossPerHour`, so that
 * they never use up what replaces stuck transactions. On local networks gas costs nothing.
 *
 * @throws BUNDLER_UNAVAILABLE if it costs every relayer too much now, so nothing was signed; NETWORK_UNAVAILABLE if no
 * relayer becomes free in time; NETWORK_FAILED if the node rejects it
 */
export async function sendOwn(
  context: EmbeddedContext,
  relayers: readonly LocalAccount[],
  call: OwnCall,
): Promise<void> {
  // A different holder than the drives of this process, so that the lease keeps the two apart.
  const own = { ...context, holder: randomUUID() }
  const able = new Set(relayers)
  for (let waited = 0; waited < maxWait && able.size > 0; waited += pause) {
    for (const relayer of able) {
      const taken = await takeLease(own, relayer.address)
      const result = await underLease(own, taken, (lease) => send(own, lease, relayer, call))
      if (result === 'sent') return
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
  { to, data }: OwnCall,
): Promise<'sent' | 'full' | 'over-limit'> {
  const { network } = context
  const state = await settleTransactions(context, lease)
  if (await isOnItsWay(context, { to, data })) return 'sent'
  if (state.liveNonces.size >= context.inFlightLimit.current(context.now())) return 'full'
  const estimated = await network.call((client) => client.estimateGas({ account: relayer.address, to, data }))
  const { maxFeePerGas, maxPriorityFeePerGas } = await network.fees()
  const gas = estimated + estimated / 5n // the state may change before it is mined
  const outcome = await sendTransaction(context, lease, relayer, {
    nonce: lowestFree(state),
    to,
    data,
    gas,
    fees: { maxFeePerGas, maxPriorityFeePerGas },
    reason: 'own',
    loss: network.config.local ? 0n : await ownCost(network, { to, data, gas, maxFeePerGas }),
    lossReserve: BigInt(network.config.relayerLossPerHour) / 2n,
  })
  if (outcome === undefined) return 'over-limit'
  if (isUnwanted(outcome)) {
    throw new LanyardError('NETWORK_FAILED', {
      cause: new Error(`the node rejects a call of the relayer: ${String(outcome)}`),
    })
  }
  return 'sent'
}

/** Whether a transaction with this call waits to be mined, or was mined so lately that a node may not show it. */
async function isOnItsWay(
  { database, network, now }: EmbeddedContext,
  { to, data }: OwnCall,
): Promise<boolean> {
  const rows = await database
    .selectFrom('relayer_transactions as tx')
    .select('tx.raw')
    .where('tx.network', '=', network.chainId)
    .where('tx.state', 'in', ['live', 'mined'])
    .where('tx.created_at', '>', new Date(now().getTime() - lookBack))
    // Those that are purged, and the index leaves them out.
    .where('tx.raw', '<>', sql.lit(''))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('relayer_transaction_operations as link')
            .select('link.txn_hash')
            .whereRef('link.txn_hash', '=', 'tx.txn_hash'),
        ),
      ),
    )
    .execute()
  return rows.some(({ raw }) => {
    const sent = parseTransaction(raw as Hex) // written by this package as hex
    return sent.to != null && isAddressEqual(sent.to, to) && (sent.data ?? '0x') === data.toLowerCase()
  })
}
