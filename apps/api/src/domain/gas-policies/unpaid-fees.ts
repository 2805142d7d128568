import { type Database, readUnpaidExposure } from '@lanyard/database'
import type { NetworkConfig } from '@lanyard/networks'
import type { Transaction } from 'kysely'
import { type PolicyServices, policyRejection } from './require-policy.ts'

const hour = 3_600_000

interface Charged {
  readonly policy: string
  /** wei, its maximum cost. Of an operation that counts already: 0. */
  readonly cost: bigint
}

/**
 * What operations that were to pay in tokens may cost the service stays within the network's `unpaidGasPerHour`: those of
 * the last hour that did not pay, and those under way of accounts that have never paid. One is always allowed while
 * no other is open.
 *
 * @throws PAYMASTER_REFUSED
 */
export async function requireUnpaidBudget(
  services: Pick<PolicyServices, 'metrics' | 'now'>,
  transaction: Transaction<Database>,
  { chainId, name, unpaidGasPerHour }: Pick<NetworkConfig, 'chainId' | 'name' | 'unpaidGasPerHour'>,
  { policy, cost }: Charged,
): Promise<void> {
  const now = services.now()
  const { lost, pending, open } = await readUnpaidExposure(transaction, {
    network: chainId,
    since: new Date(now.getTime() - hour),
    at: Math.floor(now.getTime() / 1000),
  })
  const isOnly = lost === 0n && open <= (cost === 0n ? 1 : 0)
  if (isOnly || lost + pending + cost <= BigInt(unpaidGasPerHour)) return
  throw policyRejection(services, policy, 'token_fee', {
    message: `Too many operations on ${name} did not pay for their gas, or have not yet. Try again in a few minutes, or let the account pay.`,
    details: { budget: unpaidGasPerHour },
  })
}
