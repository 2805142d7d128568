import { LanyardError } from '@lanyard/contracts'
import { type Database, deleteUnusedSponsorships, markTaken, type OperationRow } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Transaction } from 'kysely'
import type { Purger } from '../operations/dependencies.ts'
import { keepBuilds, purgeInBatches } from '../operations/track/purge.ts'
import { returnToBudgets, takeFromBudgets } from './gas-budgets.ts'
import type { GasPolicy } from './gas-policy.ts'
import { budgetRejection, limitsOf } from './policy-budget.ts'
import type { PolicyServices } from './require-policy.ts'
import { requireNotSuspended } from './suspensions.ts'
import { requireUnpaidBudget } from './unpaid-fees.ts'

/** What taking a sponsorship needs. */
export interface SponsorshipServices extends Omit<PolicyServices, 'database'> {
  readonly policies: readonly GasPolicy[]
  readonly networks: Pick<Networks, 'get'>
}

/**
 * Takes the promised cost of an operation from its budgets, in the transaction that writes the owner's
 * signature. It does nothing for an operation that no policy pays for, or that was taken before.
 *
 * @throws PAYMASTER_REFUSED when the budgets were spent since the build, SPONSORSHIP_SUSPENDED
 */
export async function takeSponsorship(
  services: SponsorshipServices,
  transaction: Transaction<Database>,
  operation: Pick<OperationRow, 'user_op_hash'>,
): Promise<void> {
  const payment = await markTaken(transaction, operation, true)
  if (!payment) return
  const now = services.now()
  await requireNotSuspended(transaction, payment, now)
  const policy = services.policies.find(({ id }) => id === payment.policy)
  if (policy?.effect !== 'allow') {
    throw new LanyardError('PAYMASTER_REFUSED', {
      message: `The policy ${payment.policy}, which was to pay for this operation, no longer exists. Build it again.`,
    })
  }
  const exceeded = await takeFromBudgets(transaction, payment, limitsOf(policy))
  if (exceeded) throw budgetRejection(services, policy.id, exceeded, now)
  if (payment.kind !== 'token') return
  const { config } = services.networks.get(payment.network)
  await requireUnpaidBudget(services, transaction, config, {
    ...{ policy: policy.id, account: payment.account, builder: payment.builder },
    ...{ user_op_hash: payment.user_op_hash, taken: true, cost: 0n },
  })
}

/** Reverts `takeSponsorship`, in the transaction that records that the operation was refused before it was sent. */
export async function returnSponsorship(
  transaction: Transaction<Database>,
  operation: Pick<OperationRow, 'user_op_hash'>,
): Promise<void> {
  const payment = await markTaken(transaction, operation, false)
  if (payment) await returnToBudgets(transaction, payment)
}

/**
 * Deletes sponsorships of builds that were never included, as a final block shows: nothing is charged for
 * them.
 *
 * @returns 0: they go with their builds, which are counted
 */
export const purgeSponsorships: Purger = async (database, now) => {
  const before = new Date(now.getTime() - keepBuilds)
  await purgeInBatches((limit) => deleteUnusedSponsorships(database, { before, limit }))
  return 0
}
