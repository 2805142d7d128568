import type { AccountKind, Call } from '@lanyard/accounts'
import { slice } from 'viem'
import type { AllowingPolicy, CallRule, GasPolicy } from './gas-policy.ts'

/** The properties of a request that policies check. */
export interface SponsoredRequest {
  readonly network: number
  /** Lower case. */
  readonly account: string
  /** Undefined for an account that this service does not know. */
  readonly accountKind?: AccountKind | undefined
  /** The normalised form in which names are unique; absent when no policy names users. */
  readonly user?: string | undefined
  /** As `callerName` returns it; empty without a key. */
  readonly apiKey: string
  /** Undefined when the calls cannot be read from the call data. */
  readonly calls: readonly Call[] | undefined
  /** Symbol of the token in which the account pays; absent: the service pays. */
  readonly feeToken?: string | undefined
  readonly at: Date
}

/** Why a policy does not apply. */
export interface Mismatch {
  readonly condition:
    | 'validity'
    | 'networks'
    | 'apiKeys'
    | 'accounts'
    | 'accountKinds'
    | 'users'
    | 'charge'
    | 'calls'
  /** Contains no details of the policy, because users of a wallet read it. */
  readonly message: string
}

/** @returns undefined when the policy applies */
export function findMismatch(policy: GasPolicy, request: SponsoredRequest): Mismatch | undefined {
  const { validFrom, validUntil, networks, apiKeys, accounts, accountKinds, users, calls } = policy
  if (validFrom && request.at < validFrom) return mismatch('validity', 'It is not valid yet.')
  if (validUntil && request.at >= validUntil) return mismatch('validity', 'It has ended.')
  if (networks && !networks.has(request.network)) return mismatch('networks', 'It is for other networks.')
  if (apiKeys && !apiKeys.has(request.apiKey)) return mismatch('apiKeys', 'It is for other API keys.')
  if (accounts && !accounts.has(request.account)) return mismatch('accounts', 'It is for other accounts.')
  if (accountKinds && !(request.accountKind && accountKinds.has(request.accountKind)))
    return mismatch('accountKinds', 'It is for other kinds of accounts.')
  if (users && !(request.user !== undefined && users.has(request.user)))
    return mismatch('users', 'It is for other users.')
  const charged = policy.effect === 'allow' ? findChargeMismatch(policy, request) : undefined
  if (charged !== undefined) return mismatch('charge', charged)
  if (!calls) return undefined
  const message = policy.effect === 'allow' ? whyNotAllowed(calls, request) : whyNotDenied(calls, request)
  return message === undefined ? undefined : mismatch('calls', message)
}

/** Who is to pay is the caller's choice: no policy charges an account that asked for sponsorship, or the reverse. */
function findChargeMismatch({ charge }: AllowingPolicy, { feeToken }: SponsoredRequest): string | undefined {
  if (charge === undefined)
    return feeToken === undefined ? undefined : 'It pays the gas, and takes no token for it.'
  if (feeToken === undefined) return 'It takes a token for the gas: ask for it by feeToken.'
  return charge.token === feeToken ? undefined : 'It takes another token.'
}

const mismatch = (condition: Mismatch['condition'], message: string): Mismatch => ({ condition, message })

/**
 * Every call must match a rule. A call of the account to itself never matches: it can contain any other call
 * (Safe's execTransaction) and can change who owns the account.
 */
function whyNotAllowed(rules: readonly CallRule[], { calls, account }: SponsoredRequest): string | undefined {
  if (!calls) return 'It is for certain calls, and the call data does not show which calls it makes.'
  if (calls.length === 0) return 'It is for certain calls, and the operation has none.'
  for (const [index, call] of calls.entries()) {
    if (call.to.toLowerCase() === account) return `Call ${index} is a call of the account to itself.`
    if (!rules.some((rule) => isOf(rule, call))) return `It is not for call ${index}.`
  }
  return undefined
}

/** One call that matches a rule is enough, and unreadable call data may contain one. */
const whyNotDenied = (rules: readonly CallRule[], { calls }: SponsoredRequest): string | undefined =>
  calls?.every((call) => !rules.some((rule) => isOf(rule, call))) ? 'It is for other calls.' : undefined

function isOf({ contract, functions }: CallRule, { to, data }: Call): boolean {
  if (contract !== undefined && contract !== to.toLowerCase()) return false
  return functions === undefined || functions.has(functionOf(data))
}

/** The selector; `0x` without data. One to three bytes do not name a function. */
function functionOf(data: Call['data']): string {
  if (data.length <= 2) return '0x'
  return data.length < 10 ? 'none' : slice(data, 0, 4).toLowerCase()
}

/**
 * The verdict of each policy, in order, and the policy that pays: the first that applies, unless one denies.
 */
export interface Choice {
  readonly paying?: AllowingPolicy | undefined
  readonly denying?: GasPolicy | undefined
  readonly verdicts: readonly { readonly policy: GasPolicy; readonly mismatch?: Mismatch | undefined }[]
}

export function choosePolicy(policies: readonly GasPolicy[], request: SponsoredRequest): Choice {
  const verdicts = policies.map((policy) => ({ policy, mismatch: findMismatch(policy, request) }))
  const applying = verdicts.filter((verdict) => !verdict.mismatch).map(({ policy }) => policy)
  const denying = applying.find(({ effect }) => effect === 'deny')
  const paying = applying.find((policy): policy is AllowingPolicy => policy.effect === 'allow')
  return { paying: denying ? undefined : paying, denying, verdicts }
}
