import type { NetworkConfig } from '@lanyard/networks'
import { type Address, isAddressEqual, type LocalAccount } from 'viem'
import { ConfigurationError } from '../environment/configuration-error.ts'
import type { Env } from '../environment/env.ts'
import type { Keys } from './keys.ts'
import { localRelayers } from './relayers.ts'
import { isPublicDevelopmentKey } from './role-keys.ts'

/** Who fills up the relayers of a network, and which. */
export interface Treasury {
  readonly account: LocalAccount
  readonly relayers: readonly Address[]
}

const variable = 'RELAYER_TREASURY_PRIVATE_KEY'

/**
 * The treasury of a network's relayers; undefined if this process has none, or the network has no `relayerRefill`.
 *
 * @throws ConfigurationError if it is a public key on a real network, has another role too, or does not know every
 * relayer's address
 */
export function treasuryFor(
  { bundler, relayerRefill, local, name }: NetworkConfig,
  { ROLES, RELAYER_PRIVATE_KEYS }: Pick<Env, 'ROLES' | 'RELAYER_PRIVATE_KEYS'>,
  { accounts, named }: Keys,
): Treasury | undefined {
  if (bundler.kind === 'remote' || relayerRefill === undefined || !ROLES.includes('topUp')) return undefined
  const [account] = accounts[variable]
  if (!account) return undefined
  const known = named.filter((key) => key.variable === 'RELAYER_PRIVATE_KEYS').map(({ address }) => address)
  const relayers = known.length === 0 && local ? localRelayers : known
  const other = named.find((key) => key.variable !== variable && isAddressEqual(key.address, account.address))
  const problems = [
    ...(!local && isPublicDevelopmentKey(account.address)
      ? [`${variable}: a public development key, and ${name} is not a local network`]
      : []),
    ...(other ? [`${variable}: the same key as in ${other.variable}; each role needs its own`] : []),
    ...(relayers.length === 0 || known.length < RELAYER_PRIVATE_KEYS.length
      ? [
          `RELAYER_PRIVATE_KEYS: ${variable} fills up these accounts, so a process with only the role topUp needs each as remote:<address> or 0x…`,
        ]
      : []),
  ]
  if (problems.length > 0) throw new ConfigurationError('The environment', problems)
  return { account, relayers }
}
