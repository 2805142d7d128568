import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Devnet, type DevnetExit, startDevnet } from '@lanyard/devnet'
import { type NetworkConfig, networkConfig, networksFile, substituteVariables } from '@lanyard/networks'
import { ConfigurationError } from './environment/configuration-error.ts'
import { type Env, environmentVariable } from './environment/env.ts'

/** Local blocks come at once: ask for them often. Milliseconds. */
const localPollingInterval = 100

/**
 * Reads the file that NETWORKS_FILE names.
 *
 * @param lookUp - a variable that the file refers to as `${NAME}`.
 * @throws ConfigurationError listing every problem at once; values are never repeated, since some are secrets
 */
export async function readNetworksFile(
  path: string,
  lookUp: (name: string) => string | undefined = environmentVariable,
): Promise<readonly NetworkConfig[]> {
  const source = `NETWORKS_FILE (${path})`
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(source, [`it cannot be read (${error.code})`])
  })
  const { document, missing } = substituteVariables(parseJson(source, text), lookUp)
  if (missing.length > 0) {
    throw new ConfigurationError(
      source,
      missing.map(({ path: place, name }) => `${place}: the variable ${name} is not set`),
    )
  }
  const parsed = networksFile.safeParse(document)
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
    // The parser's own words quote the text around the fault, and keys may stand there.
    const position = /at position (\d+)/.exec(String(error))?.[1]
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length
    throw new ConfigurationError(source, [`it is not JSON${line === undefined ? '' : ` (line ${line})`}`])
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
  networks.map(({ chainId, name, rpcUrl, settlementToken, smartBalance, sessionKeys, nativePrice }) =>
    networkConfig.parse({
      chainId,
      name,
      rpcUrls: [rpcUrl],
      local: true,
      settlementToken,
      smartBalance,
      sessionKeys,
      nativePrice,
      pollingInterval: localPollingInterval,
    }),
  )
