import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Devnet, type DevnetExit, startDevnet } from '@lanyard/devnet'
import { type NetworkConfig, networkConfig, networksFile } from '@lanyard/networks'
import type { Env } from '../env.ts'
import { ConfigurationError } from '../environment/configuration-error.ts'

/** Local blocks come at once: ask for them often. Milliseconds. */
const localPollingInterval = 100

/** Reads the file that NETWORKS_FILE names. */
export async function readNetworksFile(path: string): Promise<readonly NetworkConfig[]> {
  const source = `NETWORKS_FILE (${path})`
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(source, [`it cannot be read (${error.code})`])
  })
  const parsed = networksFile.safeParse(parseJson(source, text))
  if (parsed.success) return parsed.data.networks
  throw new ConfigurationError(
    source,
    parsed.error.issues.map(({ path: place, message }) => `${place.join('.')}: ${message}`),
  )
}

function parseJson(source: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConfigurationError(source, [error instanceof Error ? error.message : 'it is not JSON'])
  }
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

/** The local networks, as a configuration file would name them. */
export const localNetworkConfigs = ({ networks }: Devnet): readonly NetworkConfig[] =>
  networks.map(({ chainId, name, rpcUrl, settlementToken }) =>
    networkConfig.parse({
      chainId,
      name,
      rpcUrls: [rpcUrl],
      local: true,
      settlementToken,
      pollingInterval: localPollingInterval,
    }),
  )
