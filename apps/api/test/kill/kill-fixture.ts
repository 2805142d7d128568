import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '@lanyard/database'
import { freshDatabase } from '@lanyard/database/testing'
import { localTransport, type RunningNetwork, startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { type Address, createTestClient, type Hash, parseEther, publicActions } from 'viem'
import { inclusionsOf } from '../inclusions-of.ts'

export const chainId = 31337

/** The origin of ceremonies. */
export const origin = 'http://localhost:3000'

/**
 * A chain that outlives the processes killed during a test.
 *
 * @param startBundler - starts a bundler that outlives them too; default: the service's embedded one
 */
export async function startKillFixture(
  startBundler?: (network: RunningNetwork) => Promise<AsyncDisposable & { readonly url: string }>,
) {
  await using started = new AsyncDisposableStack()
  const devnet = started.use(await startDevnet({ chainIds: [chainId] }))
  const [network] = devnet.networks
  if (!network) throw new TypeError('startDevnet returns one network per chain id')
  const directory = await mkdtemp(join(tmpdir(), 'lanyard-kill-'))
  started.defer(() => rm(directory, { recursive: true }))
  const networksFile = join(directory, 'networks.json')
  await writeNetworksFile(networksFile, devnet.networks)
  if (startBundler) {
    const { url } = started.use(await startBundler(network))
    const { networks } = JSON.parse(await readFile(networksFile, 'utf8'))
    const changed = networks.map((one: object) => ({ ...one, bundler: { kind: 'remote', url } }))
    await writeFile(networksFile, JSON.stringify({ networks: changed }))
  }
  const chain = createTestClient({ mode: 'anvil', transport: localTransport(network.rpcUrl) }).extend(
    publicActions,
  )
  let directories = 0

  /**
   * The environment of processes that run one after the other on the same database. Disposing it deletes the database.
   */
  async function environment(engine: Engine) {
    const database = engine === 'postgresql' ? await freshDatabase(engine) : undefined
    const storage: Record<string, string> = database?.url
      ? { DATABASE_URL: database.url }
      : { DATA_DIR: join(directory, String(directories++)) }
    return {
      env: { NETWORKS_FILE: networksFile, ORIGINS: origin, RATE_LIMITS: 'off', ...storage },
      [Symbol.asyncDispose]: async () => database?.[Symbol.asyncDispose](),
    }
  }

  const fund = (address: Address) => chain.setBalance({ address, value: parseEther('1') })

  /** The account's operations on the chain, including duplicates. */
  async function includedHashesOf(sender: Address): Promise<readonly Hash[]> {
    const events = await inclusionsOf(chain, sender)
    return events.map(({ args }) => args.userOpHash)
  }

  /** Counts how often the operation is on the chain. */
  const countInclusions = async (sender: Address, userOpHash: Hash) =>
    (await includedHashesOf(sender)).filter((hash) => hash === userOpHash).length

  const running = started.move()
  return {
    network,
    chain,
    environment,
    fund,
    includedHashesOf,
    countInclusions,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type KillFixture = Awaited<ReturnType<typeof startKillFixture>>
