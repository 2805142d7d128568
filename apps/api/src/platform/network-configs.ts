import { join } from 'node:path'
import { accountKinds } from '@lanyard/contracts'
import { type Devnet, type DevnetExit, startDevnet } from '@lanyard/devnet'
import { type NetworkConfig, networkConfig, networksFile } from '@lanyard/networks'
import { readConfigurationFile } from './configuration-file.ts'
import type { Env } from './environment/env.ts'

/** Local blocks come immediately, so they are polled often. Milliseconds. */
const localPollingInterval = 100

/**
 * Reads the file that NETWORKS_FILE names.
 *
 * @param lookUp - a variable that the file refers to as `${NAME}`.
 * @throws ConfigurationError listing every problem; values are never repeated, since some are secrets
 */
export async function readNetworksFile(
  path: string,
  lookUp?: (name: string) => string | undefined,
): Promise<readonly NetworkConfig[]> {
  const { networks } = await readConfigurationFile(`NETWORKS_FILE (${path})`, path, networksFile, lookUp)
  return networks
}

/** Starts the local networks. */
export function startLocalNetworks(
  { DEVNET_PORT, DATA_DIR }: Env,
  onExit: (exit: DevnetExit) => void,
): Promise<Devnet> {
  return startDevnet({
    port: DEVNET_PORT,
    onExit,
    ...(DATA_DIR !== undefined && { dataDir: join(DATA_DIR, 'chains') }),
  })
}

/** The local networks in the form of a configuration file. */
export const localNetworkConfigs = ({ networks }: Devnet): readonly NetworkConfig[] =>
  networks.map(
    ({ chainId, name, rpcUrl, settlementToken, smartBalance, sessionKeys, ownership, nativePrice }) =>
      networkConfig.parse({
        chainId,
        name,
        rpcUrls: [rpcUrl],
        local: true,
        accountKinds: [...accountKinds],
        settlementToken,
        smartBalance,
        sessionKeys,
        ownership,
        nativePrice,
        pollingInterval: localPollingInterval,
      }),
  )
