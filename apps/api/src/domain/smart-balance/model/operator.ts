import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { LocalAccount } from 'viem'
import { roleKeysFor } from '../../../platform/keys/role-keys.ts'
import type { SmartBalanceServices } from './services.ts'

/** Cached, because deriving an address takes a millisecond or two. */
const operators = new WeakMap<Network, LocalAccount>()

/**
 * The account that signs orders and withdrawals on a network.
 *
 * @throws NO_SMART_BALANCE
 */
export function operatorOf(
  { env, keys }: Pick<SmartBalanceServices, 'env' | 'keys'>,
  network: Network,
): LocalAccount {
  const known = operators.get(network)
  if (known) return known
  const { operator } = roleKeysFor(network.config, env, keys)
  if (!operator) throw new LanyardError('NO_SMART_BALANCE')
  operators.set(network, operator)
  return operator
}
