import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { LanyardError } from '@lanyard/contracts'
import type { Address, Hex, LocalAccount } from 'viem'
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

/** Milliseconds to wait for a free relayer, and between polls. */
const maxWait = 10_000
const pause = 100

/**
 * Sends a call of the relayer's own, which contains no operation, between its bundles. It uses the same
 * lease, and a nonce from the same table.
 *
 * @throws NETWORK_UNAVAILABLE if no relayer becomes free in time, NETWORK_FAILED if the node rejects it
 */
export async function sendOwn(
  context: EmbeddedContext,
  relayers: readonly LocalAccount[],
  call: OwnCall,
): Promise<void> {
  // A different holder than the drives of this process, so that the lease keeps the two apart.
  const own = { ...context, holder: randomUUID() }
  for (let waited = 0; waited < maxWait; waited += pause) {
    for (const relayer of relayers) {
      const taken = await takeLease(own, relayer.address)
      const sent = await underLease(own, taken, (lease) => send(own, lease, relayer, call))
      if (sent) return
    }
    await delay(pause)
  }
  throw new LanyardError('NETWORK_UNAVAILABLE', { message: 'The relayer is busy. Try again.' })
}

async function send(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  { to, data }: OwnCall,
): Promise<boolean> {
  const { network } = context
  const state = await settleTransactions(context, lease)
  if (state.liveNonces.size >= context.inFlightLimit.current(context.now())) return false
  const gas = await network.call((client) => client.estimateGas({ account: relayer.address, to, data }))
  const { maxFeePerGas, maxPriorityFeePerGas } = await network.fees()
  const outcome = await sendTransaction(context, lease, relayer, {
    nonce: lowestFree(state),
    to,
    data,
    gas: gas + gas / 5n, // the state may change before it is mined
    fees: { maxFeePerGas, maxPriorityFeePerGas },
  })
  if (outcome !== undefined && isUnwanted(outcome)) {
    throw new LanyardError('NETWORK_FAILED', {
      cause: new Error(`the node rejects a call of the relayer: ${String(outcome)}`),
    })
  }
  return true
}
