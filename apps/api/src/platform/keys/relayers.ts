import { devAccounts } from '@lanyard/devnet'
import type { NetworkConfig } from '@lanyard/networks'
import type { Address, LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { ConfigurationError } from '../environment/configuration-error.ts'
import type { Keys } from './keys.ts'
import { isPublicDevelopmentKey } from './role-keys.ts'

/** The last of the public, funded accounts of local networks; the first ones are for experiments. */
const localAccount = devAccounts.at(-1)

/** The account that pays for bundles on local networks when no key is configured. */
export const localRelayers: readonly Address[] = localAccount ? [localAccount.address] : []

/**
 * The accounts that pay for a network's bundles: the configured ones, or on local networks a public one.
 *
 * @throws ConfigurationError when a network that is not local has none, or a public one: anyone could take its
 * coins
 */
export function relayersFor(
  { local, bundler, name }: NetworkConfig,
  { accounts }: Keys,
): readonly LocalAccount[] {
  if (bundler.kind === 'remote') return []
  const { RELAYER_PRIVATE_KEYS: configured } = accounts
  const isPublic = configured.some(({ address }) => isPublicDevelopmentKey(address))
  if (!local && isPublic) {
    throw new ConfigurationError('The environment', [
      `RELAYER_PRIVATE_KEYS: a public development key, and ${name} is not a local network`,
    ])
  }
  if (configured.length > 0) return configured
  if (local && localAccount) return [privateKeyToAccount(localAccount.privateKey)]
  throw new ConfigurationError('The environment', [
    `RELAYER_PRIVATE_KEYS: needed, since ${name} uses the embedded bundler`,
  ])
}
