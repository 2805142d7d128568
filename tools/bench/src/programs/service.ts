import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DevnetNetwork } from '@lanyard/devnet'
import { type Program, startProgram } from './start-program.ts'

const main = fileURLToPath(new URL('../../../../apps/api/src/main.ts', import.meta.url))

interface Endpoint {
  readonly chainId: number
  readonly rpcUrl: string
  /** Milliseconds. Absent: the default of a network. */
  readonly blockTime?: number
}

/** The service with its embedded bundler on one network, without a smart balance: see `startProcess`. */
export const startService = (
  { chainId, rpcUrl }: Endpoint,
  databaseUrl?: string,
  profileTo?: string,
): Promise<Program> => startProcess([{ chainId, rpcUrl }], { databaseUrl, profileTo })

export interface ProcessOptions {
  /** URL of a PostgreSQL. Absent: PGlite in the process, as `npm start` runs it. */
  readonly databaseUrl?: string | undefined
  /** Folder for a CPU profile. */
  readonly profileTo?: string | undefined
  /** Absent: all roles. */
  readonly roles?: readonly string[]
  /** Further variables, which take precedence. */
  readonly environment?: Readonly<Record<string, string>>
}

/** The smart balance fields of a network. */
type BalanceParts = Pick<DevnetNetwork, 'settlementToken' | 'smartBalance' | 'nativePrice'>

/** Starts a process of the service on some networks, each with its smart balance fields. */
export async function startProcess(
  networks: readonly (Endpoint & Partial<BalanceParts>)[],
  { databaseUrl, profileTo, roles, environment }: ProcessOptions = {},
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-bench-'))
  const file = join(folder, 'networks.json')
  const configs = networks.map(
    ({ chainId, rpcUrl, blockTime, settlementToken, smartBalance, nativePrice }) => ({
      chainId,
      name: 'Bench',
      rpcUrls: [rpcUrl],
      local: true,
      blockTime,
      pollingInterval: 100, // as on the local networks of `npm start`
      settlementToken,
      smartBalance,
      nativePrice,
    }),
  )
  await writeFile(file, JSON.stringify({ networks: configs }))
  try {
    return await startProgram(main, {
      env: {
        PORT: '0',
        LOG_LEVEL: 'warn',
        NETWORKS_FILE: file,
        RATE_LIMITS: 'off',
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
        ...(roles && { ROLES: roles.join() }),
        ...environment,
      },
      profileTo,
      ready: /Lanyard is ready:\s+(http\S+)/,
    })
  } finally {
    await rm(folder, { recursive: true }) // read at the start only
  }
}
