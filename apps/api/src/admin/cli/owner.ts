import type { Network } from '@lanyard/networks'
import { type Account, type Chain, createWalletClient, custom, type Transport, type WalletClient } from 'viem'
import { ConfigurationError } from '../../platform/environment/configuration-error.ts'
import type { CliEnv } from '../../platform/environment/env.ts'
import { createKeyOpener } from '../../platform/keys/key-opener.ts'
import { isPublicDevelopmentKey } from '../../platform/keys/role-keys.ts'
import type { SendOptions } from './options.ts'

export type OwnerClient = WalletClient<Transport, Chain | undefined, Account>

/** Who sends the calls: a key, or a multisig whose people sign elsewhere. */
export interface Owner {
  readonly account: Pick<Account, 'address'>
  /** Absent: the calls are printed and not sent. */
  readonly client?: OwnerClient
}

/**
 * The owner that the options and the environment name.
 *
 * @throws ConfigurationError as {@link createOwnerClient}, unless a multisig is named
 */
export async function openOwner(
  network: Network,
  env: CliEnv,
  { safe }: Pick<SendOptions, 'safe'>,
): Promise<Owner> {
  if (safe) return { account: { address: safe } }
  const client = await createOwnerClient(network, env)
  return { account: client.account, client }
}

/**
 * Sends the transactions of SmartBalance's owner, through the network's own RPC endpoints.
 *
 * @throws ConfigurationError without its key, or with a public key on a network that is not local
 */
async function createOwnerClient({ client, config }: Network, env: CliEnv): Promise<OwnerClient> {
  const { DEPLOYER_PRIVATE_KEY } = env
  if (DEPLOYER_PRIVATE_KEY === undefined) {
    throw new ConfigurationError('The environment', [
      "DEPLOYER_PRIVATE_KEY: needed, the owner's key (or --safe <address>, if the owner is a multisig)",
    ])
  }
  const account = await createKeyOpener(env)('DEPLOYER_PRIVATE_KEY', DEPLOYER_PRIVATE_KEY)
  if (!config.local && isPublicDevelopmentKey(account.address)) {
    throw new ConfigurationError('The environment', [
      `DEPLOYER_PRIVATE_KEY: a public development key, and ${config.name} is not a local network`,
    ])
  }
  return createWalletClient({ account, chain: client.chain, transport: custom(client) })
}
