import type { Network } from '@lanyard/networks'
import { type Account, type Chain, createWalletClient, custom, type Transport, type WalletClient } from 'viem'
import { ConfigurationError } from '../../platform/environment/configuration-error.ts'
import type { CliEnv } from '../../platform/environment/env.ts'
import { createKeyOpener } from '../../platform/keys/key-opener.ts'
import { isPublicDevelopmentKey } from '../../platform/keys/role-keys.ts'

export type OwnerClient = WalletClient<Transport, Chain | undefined, Account>

/**
 * Sends the transactions of SmartBalance's owner, through the network's own RPC endpoints.
 *
 * @throws ConfigurationError without its key, or with a public key on a network that is not local
 */
export async function createOwnerClient({ client, config }: Network, env: CliEnv): Promise<OwnerClient> {
  const { DEPLOYER_PRIVATE_KEY } = env
  if (DEPLOYER_PRIVATE_KEY === undefined) {
    throw new ConfigurationError('The environment', ["DEPLOYER_PRIVATE_KEY: needed, the owner's key"])
  }
  const account = await createKeyOpener(env)('DEPLOYER_PRIVATE_KEY', DEPLOYER_PRIVATE_KEY)
  if (!config.local && isPublicDevelopmentKey(account.address)) {
    throw new ConfigurationError('The environment', [
      `DEPLOYER_PRIVATE_KEY: a public development key, and ${config.name} is not a local network`,
    ])
  }
  return createWalletClient({ account, chain: client.chain, transport: custom(client) })
}
