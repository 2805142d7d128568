import { type Address, isAddressEqual } from 'viem'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import type { SmartBalanceSession } from '../smart-balance-session.ts'
import { assertPrivate } from './assert-private.ts'
import { type RoleSetting, readHolding } from './read-roles.ts'
import { type Role, roles } from './role-names.ts'

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
