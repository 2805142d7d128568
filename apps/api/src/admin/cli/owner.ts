import type { Network } from '@lanyard/networks'
import { type Account, type Chain, createWalletClient, custom, type Transport, type WalletClient } from 'viem'
import { ConfigurationError } from '../../platform/environment/configuration-error.ts'
import type { CliEnv } from '../../platform/environment/env.ts'
import { createKeyOpener } from '../../platform/keys/key-opener.ts'
import { isPublicDevelopmentKey } from '../../platform/keys/role-keys.ts'
import { CliError } from './cli-error.ts'
import type { SendOptions } from './options.ts'

export type OwnerClient = WalletClient<Transport, Chain | undefined, Account>

/** Who sends the calls: a key, or a multisig whose people sign elsewhere. */
export interface Owner {
  readonly account: Pick<Account, 'address'>
  /** Absent: the calls are printed and not sent. */
  readonly client?: OwnerClient
}

/** Who may send the calls of a command. `anyone`: the contract gives the sender no rights for them. */
export type OwnerRole = 'owner' | 'pauser' | 'anyone'

/**
 * The owner that the options and the environment name.
 *
 * A private key owns only on local networks: whoever copies it from a file or a shell's history has all the money of
 * the operator, and nobody can take it back. The pauser is exempt: it has to act within minutes, day and night, when no
 * two people can be found, and it can only stop things, which a thief of its key undoes for nobody.
 *
 * @throws CliError `OWNER_KEY`; ConfigurationError as {@link createOwnerClient}, unless a multisig is named
 */
export async function openOwner(
  network: Network,
  env: CliEnv,
  { safe, dryRun }: Pick<SendOptions, 'safe' | 'dryRun'>,
  role: OwnerRole = 'owner',
): Promise<Owner> {
  if (safe) return { account: { address: safe } }
  if (role === 'owner' && !network.config.local && !dryRun) throw ownerKeyRejected(network)
  const client = await createOwnerClient(network, env)
  return { account: client.account, client }
}

/** The owner of a real network acts by a multisig. */
export const ownerKeyRejected = ({ config: { name } }: Pick<Network, 'config'>) =>
  new CliError(
    'OWNER_KEY',
    `${name} is not a local network, so its owner is a multisig and not a private key. Use --safe <address>: the calls are printed and written to a file for the Transaction Builder of a Safe. --dry-run shows them for the address of DEPLOYER_PRIVATE_KEY.`,
  )

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
