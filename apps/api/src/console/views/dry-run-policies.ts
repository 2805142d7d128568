import { toOperation } from '@lanyard/bundler'
import { findAccount } from '@lanyard/database'
import { getAddress } from 'viem'
import { accountOf, toAnyWallet } from '../../domain/accounts/accounts/wallet.ts'
import { describeChoice } from '../../domain/gas-policies/describe-choice.ts'
import { evaluateSponsorship } from '../../domain/gas-policies/require-policy.ts'
import type { Services } from '../../pipeline/services.ts'
import { findRecentHashes } from './recent-operations.ts'

interface DryRun {
  /** A file of policies, as POLICIES_FILE names it. */
  readonly text: string
  /** How many of the last operations are judged. */
  readonly operations: number
}

interface Judged {
  readonly hash: string
  readonly network: number
  readonly account: string
  /** The policy that paid; null for none. */
  readonly paidBy: string | null
  readonly wouldPay: string | null
  /** wei; null until it is included. */
  readonly cost: string | null
  readonly verdicts: readonly {
    readonly policy: string
    readonly result: string
    readonly reason: string | null
  }[]
}

/**
 * Judges the last operations by a draft: which policy would pay, and which paid. Conditions are checked, budgets are not.
 *
 * @throws INVALID_INPUT naming every problem of the draft
 */
export async function dryRunPolicies(services: Services, { text, operations }: DryRun) {
  const policies = services.project.policies.parse(text)
  const { database } = services
  const networks = services.networks.list().map(({ chainId }) => chainId)
  const hashes = await findRecentHashes(database, { networks, limit: operations })
  if (hashes.length === 0) return { judged: [], cost: '0', paid: '0' }
  const rows = await database
    .selectFrom('operations')
    .leftJoin('sponsorships', 'sponsorships.user_op_hash', 'operations.user_op_hash')
    .selectAll('operations')
    .select(['sponsorships.policy as paid_by', 'sponsorships.caller as key_name'])
    .where('operations.user_op_hash', 'in', hashes)
    .orderBy('signed_at', 'desc')
    .limit(operations)
    .execute()
  const judged: Judged[] = []
  for (const row of rows) {
    const address = getAddress(row.account)
    const account = await findAccount(database, address)
    const decoded = account && accountOf(toAnyWallet(account)).decodeCalls(toOperation(row).callData)
    const choice = await evaluateSponsorship(services, {
      policies,
      chainId: row.network,
      address,
      caller: row.key_name ?? '',
      calls: decoded?.ok ? decoded.calls : undefined,
    })
    judged.push({
      hash: row.user_op_hash,
      network: row.network,
      account: address,
      paidBy: row.paid_by,
      wouldPay: choice.paying?.id ?? null,
      cost: row.gas_cost === null ? null : String(row.gas_cost),
      verdicts: describeChoice(choice).map(({ policy, result, reason }) => ({
        policy,
        result,
        reason: reason ?? null,
      })),
    })
  }
  const sum = (chosen: (one: (typeof judged)[number]) => boolean) =>
    String(judged.filter(chosen).reduce((total, { cost }) => total + BigInt(cost ?? 0), 0n))
  return {
    judged,
    /** wei of the included ones: what the draft would have paid, and what policies paid. */
    cost: sum(({ wouldPay }) => wouldPay !== null),
    paid: sum(({ paidBy }) => paidBy !== null),
  }
}
