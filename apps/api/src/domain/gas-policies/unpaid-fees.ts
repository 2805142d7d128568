import {
  type ChargedOperation,
  type Database,
  lockUnpaidExposure,
  readUnpaidExposure,
} from '@lanyard/database'
import type { NetworkConfig } from '@lanyard/networks'
import type { Transaction } from 'kysely'
import { type PolicyServices, policyRejection } from './require-policy.ts'

const hour = 3_600_000

/** One caller may hold this part of the limit in builds that it has not submitted. */
const shareOfCaller = 4n

interface Charged extends Omit<ChargedOperation, 'network'> {
  readonly policy: string
  /** Whether it is submitted. */
  readonly taken: boolean
}

/**
 * What operations that were to pay in tokens may cost the service stays within the network's `unpaidGasPerHour`: those of
 * the last hour that did not pay, and those under way. Builds that are not submitted stay within it once more, because
 * their owner can bring them to EntryPoint; those of one caller within a quarter of it. One is always allowed while no other
 * is open. One operation of an account that has paid is allowed whatever others lost.
 *
 * @throws PAYMASTER_REFUSED
 */
export async function requireUnpaidBudget(
  services: Pick<PolicyServices, 'metrics' | 'now'>,
  transaction: Transaction<Database>,
  { chainId, name, unpaidGasPerHour }: Pick<NetworkConfig, 'chainId' | 'name' | 'unpaidGasPerHour'>,
  { policy, taken, ...charged }: Charged,
): Promise<void> {
  const now = services.now()
  if (charged.user_op_hash !== undefined) await lockUnpaidExposure(transaction, chainId)
  const { lost, pending, unsent, unsentOfCaller, counts } = await readUnpaidExposure(
    transaction,
    { ...charged, network: chainId },
    { since: new Date(now.getTime() - hour), now },
  )
  if (!counts) return
  const limit = BigInt(unpaidGasPerHour)
  const isOnly = lost === 0n && pending.operations <= (taken ? 1 : 0)
  const isWithin = isOnly || lost + pending.cost <= limit
  const isUnsentWithin =
    (unsent.operations <= 1 || lost + unsent.cost <= limit) &&
    (unsentOfCaller.operations <= 1 || unsentOfCaller.cost * shareOfCaller <= limit)
  if (isWithin && (taken || isUnsentWithin)) return
  throw policyRejection(services, policy, 'token_fee', {
    message: `Too many operations on ${name} did not pay for their gas, or have not yet. Try again in a few minutes, or let the account pay.`,
    details: { budget: unpaidGasPerHour },
  })
}
