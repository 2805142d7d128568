import type { Lease } from '../sender/lease.ts'
import type { NonceState } from '../sender/settle-transactions.ts'
import type { EmbeddedContext } from './context.ts'

/** Milliseconds for which they are used without reading the chain again. */
const maxAge = 1_000

/** Remembers the nonces of a relayer at the end of a pass in which the node accepted each transaction. */
export function rememberNonces({ recentNonces }: EmbeddedContext, lease: Lease, nonces: NonceState): void {
  recentNonces.set(lease.relayer, { fence: lease.fence, nonces })
}

/**
 * The nonces that the previous pass left, if nobody else can have sent for the relayer since: each taking of a lease
 * increments its fence. What the chain has done since is settled by a later pass. A transaction that follows one
 * that a reorg removed waits in the node's pool until then.
 */
export function recallNonces(
  { recentNonces, now }: EmbeddedContext,
  { relayer, fence }: Lease,
): NonceState | undefined {
  const recent = recentNonces.get(relayer)
  recentNonces.delete(relayer)
  if (recent?.fence !== fence - 1) return undefined
  const age = now().getTime() - recent.nonces.settledAt.getTime()
  return age >= 0 && age < maxAge ? recent.nonces : undefined
}
