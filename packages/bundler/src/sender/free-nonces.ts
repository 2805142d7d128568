import type { LocalAccount } from 'viem'
import type { SenderContext } from './context.ts'
import type { Lease } from './lease.ts'
import { sendFiller } from './send-filler.ts'
import { isUnwanted } from './send-raw-transaction.ts'
import type { NonceState } from './settle-transactions.ts'

type Nonces = Pick<NonceState, 'chainNonce' | 'liveNonces'>

/**
 * The rows show which nonces are pending, the chain which are used. The lowest nonce that is neither comes
 * next, so a gap left by a reorg or a foreign sender is closed first.
 */
export function lowestFree({ chainNonce, liveNonces }: Nonces): number {
  let nonce = chainNonce
  while (liveNonces.has(nonce)) nonce++
  return nonce
}

/** An empty transaction that an urgent call waits for is paid as that call is. Undefined: none waits for it. */
export const makesWayFor = (live: NonceState['live'], nonce: number): 'urgent' | undefined =>
  live.some((row) => row.urgent && row.nonce > nonce) ? 'urgent' : undefined

/**
 * Nothing waits that could use the free nonce, and later transactions cannot be mined until it is used. Above the
 * hourly limit they wait, until fees fall or a paying transaction uses the nonce.
 */
export async function fillGap(
  context: SenderContext,
  lease: Lease,
  sender: LocalAccount,
  nonces: Nonces & Pick<NonceState, 'live'>,
): Promise<void> {
  const { liveNonces, live } = nonces
  for (let nonce = lowestFree(nonces); nonce < Math.max(...liveNonces); nonce = lowestFree(nonces)) {
    const fees = await context.network.fees()
    const more = { reason: 'gap', ownCall: makesWayFor(live, nonce) } as const
    const outcome = await sendFiller(context, lease, sender, nonce, fees, more)
    if (outcome === undefined || isUnwanted(outcome)) return
    liveNonces.add(nonce)
  }
}
