import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '@lanyard/database'
import { freshDatabase } from '@lanyard/database/testing'
import { startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { type Address, createTestClient, type Hash, http, parseEther, publicActions } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'

export const chainId = 31337

/** A page's origin, for ceremonies. */
export const origin = 'http://localhost:3000'

/** A chain that outlives the processes which are killed over it. */
export async function startKillScene() {
  await using started = new AsyncDisposableStack()
  const devnet = started.use(await startDevnet({ chainIds: [chainId] }))
  const [network] = devnet.networks
  if (!network) throw new TypeError('startDevnet answers one network per chain id')
  const directory = await mkdtemp(join(tmpdir(), 'lanyard-kill-'))
  started.defer(() => rm(directory, { recursive: true }))
  const networksFile = join(directory, 'networks.json')
  await writeNetworksFile(networksFile, devnet.networks)
  const chain = createTestClient({ mode: 'anvil', transport: http(network.rpcUrl) }).extend(publicActions)
  let directories = 0

  /** The environment of processes that follow each other on one database, gone when it is disposed. */
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

  /** How often the operation is on the chain. */
  async function countInclusions(sender: Address, userOpHash: Hash): Promise<number> {
    const events = await chain.getContractEvents({
      address: entryPoint07Address,
      abi: entryPoint07Abi,
      eventName: 'UserOperationEvent',
      args: { sender, userOpHash },
      fromBlock: 0n,
    })
    return events.length
  }

  const running = started.move()
  return {
    network,
    chain,
    environment,
    fund,
    countInclusions,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type KillScene = Awaited<ReturnType<typeof startKillScene>>
