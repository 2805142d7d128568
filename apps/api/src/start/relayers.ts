import { devAccounts } from '@lanyard/devnet'
import type { NetworkConfig } from '@lanyard/networks'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Env } from '../env.ts'
import { ConfigurationError } from '../environment/configuration-error.ts'

/** The last of the public, funded accounts of local networks; the first ones are for whoever tries things out. */
const localRelayer = devAccounts.at(-1)

/**
 * The accounts that pay for a network's bundles: those configured, or on local networks a public one.
 *
 * @throws ConfigurationError when a network needs one and none is configured
 */
export function relayersFor(
  { local, bundler, name }: NetworkConfig,
  { RELAYER_PRIVATE_KEYS }: Pick<Env, 'RELAYER_PRIVATE_KEYS'>,
): PrivateKeyAccount[] {
  if (bundler.kind === 'remote') return []
  if (RELAYER_PRIVATE_KEYS.length > 0) return RELAYER_PRIVATE_KEYS.map((key) => privateKeyToAccount(key))
  if (local && localRelayer) return [privateKeyToAccount(localRelayer.privateKey)]
  throw new ConfigurationError('The environment', [
    `RELAYER_PRIVATE_KEYS: needed, since ${name} uses the embedded bundler`,
  ])
}
