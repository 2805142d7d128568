import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readyLine } from '@lanyard/testing'
import { type Program, startProgram } from './start-program.ts'

/** The service's program. */
export const main = fileURLToPath(new URL('../../../../apps/api/src/main.ts', import.meta.url))

interface Endpoint {
  readonly chainId: number
  readonly rpcUrl: string
  /** Milliseconds. Absent: the default of a network. */
  readonly blockTime?: number
}

/** The service with its embedded bundler on one network. */
export const startService = (network: Endpoint, databaseUrl?: string): Promise<Program> =>
  startProcess([network], { databaseUrl })

interface ProcessOptions {
  /** URL of a PostgreSQL. Absent: PGlite in the process, as `npm start` runs it. */
  readonly databaseUrl?: string | undefined
  /** Further variables, which take precedence. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts a process of the service on some networks, without a smart balance. */
export async function startProcess(
  networks: readonly Endpoint[],
  { databaseUrl, environment }: ProcessOptions = {},
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-bench-'))
  const file = join(folder, 'networks.json')
  const configs = networks.map(({ chainId, rpcUrl, blockTime }) => ({
    ...{ chainId, name: 'Bench', rpcUrls: [rpcUrl], local: true, blockTime },
    pollingInterval: 100, // as on the local networks of `npm start`
  }))
  await writeFile(file, JSON.stringify({ networks: configs }))
  try {
    return await startProgram(main, {
      env: {
        PORT: '0',
        LOG_LEVEL: 'warn',
        NETWORKS_FILE: file,
        RATE_LIMITS: 'off',
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
        ...environment,
      },
      ready: readyLine,
    })
  } finally {
    await rm(folder, { recursive: true }) // read at the start only
  }
}
