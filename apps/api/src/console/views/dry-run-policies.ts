import { decodeCalls } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { getAddress } from 'viem'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { describeChoice } from '../../domain/gas-policies/describe-choice.ts'
import { policiesFile } from '../../domain/gas-policies/gas-policy.ts'
import { judge } from '../../domain/gas-policies/require-policy.ts'
import { toOperation } from '../../domain/operations/signed-operation.ts'
import type { Services } from '../../pipeline/services.ts'
import { findRecentHashes } from './recent-operations.ts'

interface DryRun {
  /** A file of policies, as POLICIES_FILE names it. */
  readonly text: string
  /** How many of the last operations are judged. */
  readonly operations: number
}

/**
 * Judges the last operations by a draft: which policy would pay, and which paid. Conditions are checked, budgets are not.
 *
 * @throws INVALID_INPUT naming every problem of the draft
 */
export async function dryRunPolicies(services: Services, { text, operations }: DryRun) {
  const parsed = policiesFile.safeParse(parseJson(text))
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
    throw new LanyardError('INVALID_INPUT', {
      issues,
      message: issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('. '),
    })
  }
  const { database } = services
  const networks = services.networks.list().map(({ chainId }) => chainId)
  const hashes = await findRecentHashes(database, { networks, limit: operations })
  if (hashes.length === 0) return { judged: [] }
  const rows = await database
    .selectFrom('operations')
    .leftJoin('sponsorships', 'sponsorships.user_op_hash', 'operations.user_op_hash')
    .selectAll('operations')
    .select(['sponsorships.policy as paid_by', 'sponsorships.caller as key_name'])
    .where('operations.user_op_hash', 'in', hashes)
    .orderBy('signed_at', 'desc')
    .limit(operations)
    .execute()
  const draft = { policies: parsed.data.policies, database, now: services.now }
  const judged = []
  for (const row of rows) {
    const address = getAddress(row.account)
    const { deployment } = await findWallet(database, address)
    const decoded = decodeCalls(toOperation(row).callData, deployment)
    const choice = await judge(draft, {
      chainId: row.network,
      address,
      caller: row.key_name ?? '',
      calls: decoded.ok ? decoded.calls : undefined,
    })
    judged.push({
      hash: row.user_op_hash,
      network: row.network,
      account: address,
      paidBy: row.paid_by,
      wouldPay: choice.paying?.id ?? null,
      verdicts: describeChoice(choice).map(({ policy, result, reason }) => ({
        policy,
        result,
        reason: reason ?? null,
      })),
    })
  }
  return { judged }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new LanyardError('INVALID_INPUT', {
      message: `The draft is not valid JSON: ${error instanceof Error ? error.message : ''}`,
    })
  }
}
