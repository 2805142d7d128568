import { readFile, writeFile } from 'node:fs/promises'
import type { Engine } from '@lanyard/database'
import { localTransport, type RunningNetwork } from '@lanyard/devnet'
import { type Address, createTestClient, type Hash, parseEther, publicActions } from 'viem'
import { startDevnetInFolder } from '../devnet-in-folder.ts'
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
  const devnet = started.use(await startDevnetInFolder({ chainIds: [chainId] }))
  const { networksFile } = devnet
  const [network] = devnet.networks
  if (!network) throw new TypeError('startDevnet returns one network per chain id')
  if (startBundler) {
    const { url } = started.use(await startBundler(network))
    const { networks } = JSON.parse(await readFile(networksFile, 'utf8'))
    const changed = networks.map((one: object) => ({ ...one, bundler: { kind: 'remote', url } }))
    await writeFile(networksFile, JSON.stringify({ networks: changed }))
  }
  const chain = createTestClient({ mode: 'anvil', transport: localTransport(network.rpcUrl) }).extend(
    publicActions,
  )

  const environment = async (engine: Engine) => {
    const { env, ...storage } = await devnet.environment(engine)
    return { ...storage, env: { ...env, ORIGINS: origin, RATE_LIMITS: 'off' } }
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
