import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Program, startProgram } from './start-program.ts'

const main = fileURLToPath(new URL('../../../apps/api/src/main.ts', import.meta.url))

/**
 * The service with its embedded bundler, on this one network.
 *
 * @param databaseUrl of PostgreSQL. Absent: PGlite in its process, as `npm start` runs it.
 * @param profileTo folder for a profile of its processor time
 */
export async function startService(
  network: { chainId: number; rpcUrl: string },
  databaseUrl?: string,
  profileTo?: string,
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-bench-'))
  const file = join(folder, 'networks.json')
  const config = {
    chainId: network.chainId,
    name: 'Bench',
    rpcUrls: [network.rpcUrl],
    local: true,
    pollingInterval: 100, // as on the local networks of `npm start`
  }
  await writeFile(file, JSON.stringify({ networks: [config] }))
  try {
    return await startProgram(main, {
      env: {
        PORT: '0',
        LOG_LEVEL: 'warn',
        NETWORKS_FILE: file,
        RATE_LIMITS: 'off',
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      },
      profileTo,
      ready: /Lanyard is ready:\s+(http\S+)/,
    })
  } finally {
    await rm(folder, { recursive: true }) // read at start, never again
  }
}
