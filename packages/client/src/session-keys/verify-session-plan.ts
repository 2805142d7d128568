import { enableSessionKey } from '@lanyard/contracts'
import {
  compilePermissions,
  type DescriptionTerms,
  describePermissions,
  encodeGrant,
  functionsOf,
  type Session,
} from '@lanyard/session-keys'
import { type Address, isAddressEqual } from 'viem'
import type { SessionKeyEnableData } from '../generated/types.gen.ts'
import { type CallRequest, toCall } from '../to-call.ts'
import { BuildVerificationError } from '../verification-error.ts'

export interface VerifySessionPlanParameters {
  /** The response of `sessionKey.enable`. */
  readonly plan: { readonly transactionDetails: readonly CallRequest[] }
  readonly request: SessionKeyEnableData['body']
  readonly account: Address
  /** The SessionKeys contract, one address on all networks. Pin it; `system.networks` returns it. */
  readonly sessionKeys: Address
  /** SmartBalance, required if the request's paymaster is `sponsored`. */
  readonly smartBalance?: Address
  /** How the description formats amounts. */
  readonly terms?: DescriptionTerms
}

export interface VerifiedSessionPlan {
  /** The limits that the owner is about to sign. */
  readonly session: Session
  /** The limits in plain words, to be shown before signing. */
  readonly description: readonly string[]
}

/**
 * Recomputes from the request the calls that grant a session. The only other effect that the calls may have
 * is to make the contract an owner and a module of the account. Call it before the plan is signed.
 *
 * @throws BuildVerificationError naming `transactionDetails`, or `permissions` if they do not form a valid
 * session
 */
export function verifySessionPlan(parameters: VerifySessionPlanParameters): VerifiedSessionPlan {
  const { plan, request, account, sessionKeys, smartBalance } = parameters
  const requested = enableSessionKey.body.parse(request)
  const { permissions, sessionKey: key, validAfter, validUntil } = requested
  const paymaster = requested.paymaster === 'sponsored' ? smartBalance : requested.paymaster
  const compiled = compilePermissions(permissions, {
    validAfter,
    validUntil,
    ...(paymaster && { paymaster }),
  })
  if (!compiled.ok) {
    const problems = compiled.problems.map(({ path, message }) => `${path}: ${message}`)
    throw new BuildVerificationError('permissions', problems.join(' '))
  }
  const { session } = compiled
  const answered = plan.transactionDetails.map(toCall)
  const isPlan = [true, false].some((isOwner) =>
    [true, false].some((isModule) => {
      const calls = encodeGrant({ account, sessionKeys, key, session, isOwner, isModule })
      return calls.length === answered.length && calls.every((call, index) => isSame(call, answered[index]))
    }),
  )
  if (!isPlan)
    throw new BuildVerificationError('transactionDetails', 'they grant something other than requested')
  const native = { symbol: 'of the native coin', decimals: 18 }
  const terms = parameters.terms ?? { native, functions: functionsOf(permissions) }
  return { session, description: describePermissions(session, terms) }
}

type Call = ReturnType<typeof toCall>

const isSame = (call: Call, other: Call | undefined) =>
  other !== undefined &&
  isAddressEqual(call.to, other.to) &&
  call.value === other.value &&
  call.data.toLowerCase() === other.data.toLowerCase()
