import { readFile } from 'node:fs/promises'
import { networksFile, substituteVariables } from '@lanyard/networks'
import type { Address } from 'viem'
import { RecoveryError } from './recovery-error.ts'

/** The part of a network's service configuration that recovery needs. */
export interface FileNetwork {
  readonly chainId: number
  readonly name: string
  readonly rpcUrls: readonly string[]
  readonly smartBalance?: Address
  readonly tokens: readonly Address[]
}

/**
 * Reads a NETWORKS_FILE of the service, including presets and `${VARIABLES}`. Recovery with a kit does not
 * need the file.
 *
 * @param lookUp - returns the value of a variable that the file refers to
 * @throws RecoveryError USAGE, naming every problem; the message does not repeat values, since RPC addresses
 * may contain keys
 */
export async function readNetworks(
  path: string,
  lookUp: (name: string) => string | undefined,
): Promise<readonly FileNetwork[]> {
  const reject = (problems: readonly string[], cause?: unknown) =>
    new RecoveryError('USAGE', `${path} cannot be used: ${problems.join('; ')}.`, { cause })
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw reject([`it cannot be read (${cause.code})`], cause)
  })
  const { document, missing } = substituteVariables(parse(text), lookUp)
  if (missing.length > 0) throw reject(missing.map(({ name }) => `the variable ${name} is not set`))
  const parsed = networksFile.safeParse(document)
  if (!parsed.success)
    throw reject(parsed.error.issues.map(({ path: place, message }) => `${place.join('.')}: ${message}`))
  return parsed.data.networks.map(({ chainId, name, rpcUrls, smartBalance, settlementToken }) => ({
    chainId,
    name,
    rpcUrls,
    ...(smartBalance && { smartBalance }),
    tokens: settlementToken ? [settlementToken.address] : [],
  }))
}

/** The schema reports other problems. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
