import type { NetworkConfig } from '@lanyard/networks'
import { type Address, isAddressEqual } from 'viem'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import { isPublicDevelopmentKey } from '../../../platform/keys/role-keys.ts'
import { callOf } from '../owner-command.ts'
import type { OwnerCall } from '../safe-batch.ts'
import type { SmartBalanceSession } from '../smart-balance-session.ts'
import { formatTime } from '../times.ts'
import {
  attestorSet,
  type Holding,
  lapsesAt,
  type Role,
  type RoleSetting,
  readHolding,
  roles,
} from './read-roles.ts'

type On = Pick<SmartBalanceSession, 'contract'>

/**
 * The next call to give `holding` its role; undefined when it has the role or has to wait. Attestors are
 * announced for PROPOSAL_NOTICE, so that users who distrust the new one can leave first; the other roles are
 * not.
 */
export function callToGrant({ contract }: On, setting: RoleSetting, holding: Holding): OwnerCall | undefined {
  const { role, address, active, readyAt } = holding
  if (active) return undefined
  if (role !== 'attestor') return roleCall(contract, holding, true)
  const set = attestorSet(setting.verifier)
  if (readyAt === null) return callOf(set, `propose ${address} as attestor`, 'proposeAttestor', [address])
  if (readyAt > setting.now) return undefined
  return callOf(set, `make ${address} attestor`, 'addAttestor', [address])
}

/**
 * The call that removes the role, or its proposal, immediately; undefined when there is nothing to remove.
 */
export function callToRevoke(
  { contract }: On,
  setting: RoleSetting,
  holding: Holding,
): OwnerCall | undefined {
  const { role, address, active, readyAt } = holding
  if (!active && readyAt === null) return undefined
  if (role !== 'attestor') return roleCall(contract, holding, false)
  const description = active
    ? `revoke the role attestor of ${address}`
    : `cancel the proposal of ${address} as attestor`
  return callOf(attestorSet(setting.verifier), description, 'removeAttestor', [address])
}

/** Describes what is still missing before a holding gets its role; undefined: nothing. */
export function leftToGrant(
  setting: RoleSetting,
  { role, address, active, readyAt }: Holding,
): string | undefined {
  if (active) return undefined
  if (readyAt === null) {
    return role === 'attestor'
      ? `${address} still has to be proposed as attestor. It can be added 14 days later, for 7 days.`
      : `${address} still has to be made ${role}.`
  }
  return readyAt > setting.now
    ? `${address} can be added as attestor from ${formatTime(readyAt)} until ${formatTime(lapsesAt(readyAt))}: run this again then.`
    : `${address} can be added as attestor now: run this again.`
}

const roleCall = (contract: On['contract'], { role, address }: Holding, allowed: boolean): OwnerCall =>
  callOf(
    contract,
    allowed ? `make ${address} ${role}` : `revoke the role ${role} of ${address}`,
    role === 'operator' ? 'setOperator' : 'setSettler',
    [address, allowed],
  )

/**
 * Checks that no key has two roles: a thief of that key would get both, and senders that share a key would
 * compete for nonces.
 *
 * @throws ConfigurationError naming every address that must not get the role
 */
export async function assertGrantable(
  session: SmartBalanceSession,
  setting: RoleSetting,
  role: Role,
  addresses: readonly Address[],
): Promise<void> {
  assertPrivate(session.network.config, addresses)
  const problems = await Promise.all(
    addresses.map(async (address) => {
      const others = await Promise.all(
        roles.filter((other) => other !== role).map((other) => readHolding(session, setting, other, address)),
      )
      const held = others.filter(({ active }) => active).map((other) => other.role as string)
      if (isAddressEqual(address, setting.owner)) held.push('owner')
      return held.map((other) => `${address} is ${other}, and each role needs its own key`)
    }),
  )
  if (problems.flat().length > 0) throw new ConfigurationError('The roles', problems.flat())
}

/** @throws ConfigurationError for an address that anyone can sign for, on a network that is not local */
export function assertPrivate({ local, name }: NetworkConfig, addresses: readonly Address[]): void {
  const known = addresses.filter((address) => !local && isPublicDevelopmentKey(address))
  if (known.length === 0) return
  throw new ConfigurationError(
    'The roles',
    known.map((address) => `${address} has a public development key, and ${name} is not a local network`),
  )
}
