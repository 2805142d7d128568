import type { Call } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import {
  compilePermissions,
  describePermissions,
  encodeGrant,
  forbiddenTargets,
  functionsOf,
  type Permission,
  type Session,
  type SessionKey,
} from '@lanyard/session-keys'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import type { BuildTarget } from '../operations/build-request.ts'
import { descriptionTerms } from './description-terms.ts'
import { isOnCurve } from './p256.ts'
import { getSessionKeys, readAttachment } from './read-session.ts'

interface GrantRequest extends BuildTarget {
  readonly key: SessionKey
  readonly validAfter: number
  readonly validUntil: number
  readonly permissions: readonly Permission[]
  /** `sponsored`: SmartBalance, through which this service pays. */
  readonly paymaster?: 'sponsored' | Address | undefined
}

export interface GrantPlan {
  readonly calls: readonly Call[]
  /** The session's permissions, one sentence for each limit. */
  readonly description: readonly string[]
}

/**
 * The account's calls that grant a session, according to the head of the chain. The first grant also makes
 * the contract an owner and a module. If two plans are made concurrently, both are correct at that time. When
 * the first is included, the calls that add the contract revert in the second, which has to be planned again.
 *
 * @throws INVALID_INPUT with the paths, NO_SESSION_KEYS, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function planGrant(request: GrantRequest): Promise<GrantPlan> {
  const { wallet, network, key, permissions } = request
  const sessionKeys = getSessionKeys(network)
  if (typeof key !== 'string' && !(await isOnCurve(key))) {
    throw reject([{ path: 'sessionKey', message: 'These coordinates are not a point of P-256.' }])
  }
  const session = compile(request, sessionKeys) // before the chain is read
  const { isOwner, isModule, timestamp } = await readAttachment(network, wallet)
  if (request.validUntil <= timestamp) {
    const message = `The chain is already at ${timestamp} (Unix seconds).`
    throw reject([{ path: 'validUntil', message }])
  }
  const calls = encodeGrant({ account: wallet.address, sessionKeys, key, session, isOwner, isModule })
  return {
    calls,
    description: describePermissions(session, descriptionTerms(network, functionsOf(permissions))),
  }
}

function compile(request: GrantRequest, sessionKeys: Address): Session {
  const { wallet, network, permissions, validAfter, validUntil, paymaster } = request
  const compiled = compilePermissions(permissions, {
    validAfter,
    validUntil,
    ...(paymaster && { paymaster: toPaymaster(request, paymaster) }),
    forbidden: forbiddenTargets({
      account: wallet.address,
      sessionKeys,
      smartBalance: network.config.smartBalance ?? zeroAddress,
      deployment: wallet.deployment,
    }),
  })
  if (compiled.ok) return compiled.session
  throw reject(compiled.problems)
}

function toPaymaster({ network }: GrantRequest, paymaster: 'sponsored' | Address): Address {
  const address = paymaster === 'sponsored' ? network.config.smartBalance : paymaster
  if (address && !isAddressEqual(address, zeroAddress)) return address
  throw reject([
    { path: 'paymaster', message: `There is no sponsor of operations on ${network.config.name}.` },
  ])
}

/** The path `permissions[1].to[0]` becomes `permissions.1.to.0`, as in the service's other issues. */
const reject = (problems: readonly { readonly path: string; readonly message: string }[]) =>
  new LanyardError('INVALID_INPUT', {
    issues: problems.map(({ path, message }) => ({ path: path.replace(/\[(\d+)\]/g, '.$1'), message })),
  })
