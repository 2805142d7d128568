import type { Call } from '@lanyard/accounts'
import { toOperation } from '@lanyard/bundler'
import { findAccount, type OperationRow, type SponsorshipRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type Address, getAddress, isAddressEqual } from 'viem'
import { givenName } from '../../domain/accounts/accounts/find-named-account.ts'
import { type AnyWallet, accountOf, toAnyWallet } from '../../domain/accounts/accounts/wallet.ts'
import { describeChoice } from '../../domain/gas-policies/describe-choice.ts'
import type { AllowingPolicy, GasPolicy } from '../../domain/gas-policies/gas-policy.ts'
import { evaluateSponsorship } from '../../domain/gas-policies/require-policy.ts'
import type { OperatorRole } from '../../domain/operators/operator-roles.ts'
import { toTokenFee, withoutApproval } from '../../domain/smart-balance/orders/token-fee.ts'
import type { Services } from '../../pipeline/services.ts'
import { findPolicyChanges, wordsOf } from './describe-policy-changes.ts'
import { findRecentHashes } from './recent-operations.ts'
import { nameFor } from './shown-name.ts'

interface DryRun {
  /** A file of policies, as POLICIES_FILE names it. */
  readonly text: string
  /** How many of the last operations are judged. */
  readonly operations: number
  /** A symbol: judges as if every account asked to pay for gas in this token. Absent: as each one asked. */
  readonly feeToken?: string | undefined
  /** Of the operator who reads the result. */
  readonly role: OperatorRole
}

/**
 * Who pays for the gas of an operation. `paymaster`: one that the caller named. `unknown`: the policies ask for an API key, and
 * the service has forgotten which one sent it.
 */
interface Payer {
  readonly kind: 'policy' | 'token' | 'account' | 'smart-balance' | 'paymaster' | 'unknown'
  /** Its id, if a policy pays. */
  readonly policy: string | null
}

interface Judged {
  readonly hash: string
  readonly network: number
  readonly account: Address
  /** The user of the account, as far as the role sees it; null for one without a name. */
  readonly username: string | null
  /** Who paid. */
  readonly today: Payer
  readonly would: Payer
  /** Who would by the policies in force. */
  readonly inForce: Payer
  /** Whether the draft decides otherwise than who paid, and than the policies in force. */
  readonly differs: boolean
  /** wei; null until it is included. */
  readonly cost: string | null
  readonly verdicts: readonly {
    readonly policy: string
    readonly result: string
    readonly reason: string | null
  }[]
}

type DryRunServices = Pick<Services, 'database' | 'networks' | 'now'> & {
  readonly project: { readonly policies: Pick<Services['project']['policies'], 'parse' | 'list'> }
}

/**
 * Judges the last operations by a draft: who would pay, and who paid. Conditions are checked, budgets are not. An account that
 * paid for itself may not have asked for anything else: a policy then would pay if it did.
 *
 * @throws INVALID_INPUT naming every problem of the draft
 */
export async function dryRunPolicies(services: DryRunServices, { text, operations, feeToken, role }: DryRun) {
  const { database, project } = services
  const policies = project.policies.parse(text)
  const changes = findPolicyChanges(project.policies.list, policies, wordsOf(services.networks))
  const known = new Map(services.networks.list().map((network) => [network.chainId, network]))
  const networks = [...known.keys()]
  const hashes = await findRecentHashes(database, { networks, limit: operations })
  if (hashes.length === 0) return { judged: [], cost: '0', inForce: '0', paid: '0', changes }
  const rows = await database
    .selectFrom('operations')
    .leftJoin('sponsorships', 'sponsorships.user_op_hash', 'operations.user_op_hash')
    .leftJoin('orders', 'orders.user_op_hash', 'operations.user_op_hash')
    .selectAll('operations')
    .select(['sponsorships.kind', 'sponsorships.policy', 'sponsorships.caller', 'orders.order_id'])
    .where('operations.user_op_hash', 'in', hashes)
    .orderBy('signed_at', 'desc')
    .limit(operations)
    .execute()
  const judge = async (row: (typeof rows)[number]): Promise<Judged> => {
    const address = getAddress(row.account)
    const account = await findAccount(database, address)
    const wallet = account && toAnyWallet(account)
    const decoded = wallet && accountOf(wallet).decodeCalls(toOperation(row).callData)
    const name = account && givenName(account)
    const asked = askedToken(row, known.get(row.network))
    const symbol = feeToken ?? asked?.symbol
    const calls = wallet && decoded?.ok ? ownCalls(decoded.calls, wallet, asked) : undefined
    const today = payerOf(row)
    const caller = callerOf(row)
    const choose = async (list: readonly GasPolicy[]) => {
      const request = {
        policies: list,
        chainId: row.network,
        address,
        caller: caller ?? '',
        calls,
        feeToken: symbol,
      }
      const choice = await evaluateSponsorship(services, request)
      return { choice, payer: chosenPayer(choice.paying, list, caller) }
    }
    const [draft, present] = await Promise.all([choose(policies), choose(project.policies.list)])
    const isAsked = ['policy', 'account', 'token'].includes(today.kind)
    const would = isAsked ? draft.payer : today
    const inForce = isAsked ? present.payer : today
    return {
      ...{ hash: row.user_op_hash, network: row.network, account: address },
      username: name === undefined ? null : nameFor(role, name),
      ...{ today, would, inForce },
      differs: !isSame(would, today) && !isSame(would, inForce),
      cost: row.gas_cost === null ? null : String(row.gas_cost),
      verdicts: describeChoice(draft.choice).map(({ policy, result, reason }) => ({
        policy,
        result,
        reason: reason ?? null,
      })),
    }
  }
  const judged = await Promise.all(rows.map(judge))
  const sum = (chosen: (one: Judged) => Payer) =>
    String(
      judged
        .filter((one) => chosen(one).kind === 'policy')
        .reduce((total, { cost }) => total + BigInt(cost ?? 0), 0n),
    )
  return {
    judged,
    /** wei of the included ones: what the draft would have paid, what the policies in force would have, and what policies paid. */
    cost: sum(({ would }) => would),
    inForce: sum(({ inForce }) => inForce),
    paid: sum(({ today }) => today),
    /** What the draft changes in the policies in force. */
    changes,
  }
}

const isSame = (a: Payer, b: Payer) => a.kind === b.kind && a.policy === b.policy

type PaidRow = Pick<OperationRow, 'user_op' | 'sent_by'> & {
  readonly kind: SponsorshipRow['kind'] | null
  readonly policy: string | null
  readonly caller: string | null
  readonly order_id: string | null
}

/** An order without debits has a row of sponsorships, too, and pays by its withdrawal. */
function payerOf({ kind, policy, order_id, user_op }: PaidRow): Payer {
  if (kind === 'order' || order_id !== null) return { kind: 'smart-balance', policy: null }
  if (kind === 'sponsored') return { kind: 'policy', policy }
  if (kind === 'token') return { kind: 'token', policy }
  const { paymasterAndData = '0x' } = user_op as { readonly paymasterAndData?: string } // the service's own JSON form
  return { kind: paymasterAndData === '0x' ? 'account' : 'paymaster', policy: null }
}

/** The token in which the account asked to pay, on its network. One that the service takes no more has only an address. */
function askedToken({ kind, ...row }: PaidRow & OperationRow, network: Network | undefined) {
  if (kind !== 'token' || !network) return undefined
  const { tokenFee } = toTokenFee(network, toOperation(row))
  const token = tokenFee && network.feeTokens.find(({ address }) => isAddressEqual(address, tokenFee.token))
  return { network, token, symbol: token?.symbol ?? 'a token that the service does not take' }
}

/** Policies compare the calls without the approval that pays for them. */
const ownCalls = (
  calls: readonly Call[],
  wallet: AnyWallet,
  asked: ReturnType<typeof askedToken>,
): readonly Call[] =>
  asked?.token ? withoutApproval(asked.network, { wallet, token: asked.token, calls }) : calls

/** The name of the API key; empty without a key; undefined once the service has forgotten it. */
function callerOf({ caller, sent_by }: PaidRow): string | undefined {
  if (caller !== null) return caller
  if (sent_by === null) return undefined
  return sent_by.startsWith('key:') ? sent_by.slice('key:'.length) : ''
}

function chosenPayer(
  paying: AllowingPolicy | undefined,
  policies: readonly GasPolicy[],
  caller: string | undefined,
): Payer {
  // A policy that names keys, before the one that pays, may have decided; one that denies always may.
  const reached = paying === undefined ? policies : policies.slice(0, policies.indexOf(paying))
  const mayDecide = [...reached, ...policies.filter(({ effect }) => effect === 'deny')]
  if (caller === undefined && mayDecide.some(({ apiKeys }) => apiKeys))
    return { kind: 'unknown', policy: null }
  if (paying === undefined) return { kind: 'account', policy: null }
  return { kind: paying.charge ? 'token' : 'policy', policy: paying.id }
}
