import { createNetworks, type Network, type NetworkConfig, type Networks } from '@lanyard/networks'
import type { Address } from 'viem'
import { ConfigurationError } from '../../platform/environment/configuration-error.ts'
import type { CliEnv } from '../../platform/environment/env.ts'
import { readNetworksFile } from '../../platform/network-configs.ts'
import { hideSecrets } from '../../platform/secrets/hidden-secrets.ts'
import { secretsOfNetwork } from '../../platform/secrets/secrets-of.ts'
import { CliError } from './cli-error.ts'
import { terminal } from './terminal.ts'

/** The networks of NETWORKS_FILE. No request is sent yet. */
export async function openNetworks({ NETWORKS_FILE }: CliEnv): Promise<Networks> {
  if (NETWORKS_FILE === undefined) {
    throw new ConfigurationError('The environment', ['NETWORKS_FILE: needed to reach the network'])
  }
  const configs = await readNetworksFile(NETWORKS_FILE, (name) => terminal().env[name])
  for (const config of configs) hideSecrets(secretsOfNetwork(config))
  return createNetworks(configs)
}

/** The network with this chain id in NETWORKS_FILE. No request is sent yet. */
export const openNetwork = async (env: CliEnv, chainId: number): Promise<Network> =>
  (await openNetworks(env)).get(chainId)

/** @throws CliError `NO_SMART_BALANCE` */
export function requireSmartBalance({ smartBalance, name }: NetworkConfig): Address {
  if (smartBalance) return smartBalance
  throw new CliError(
    'NO_SMART_BALANCE',
    `${name} has no smartBalance in NETWORKS_FILE. Deploy it with \`lanyard deploy\`, which prints the lines to add.`,
  )
}

/** @throws CliError `NO_SETTLEMENT_TOKEN` */
export function requireSettlementToken({ settlementToken, name }: NetworkConfig) {
  if (settlementToken) return settlementToken
  throw new CliError('NO_SETTLEMENT_TOKEN', `${name} has no settlementToken in NETWORKS_FILE.`)
}
