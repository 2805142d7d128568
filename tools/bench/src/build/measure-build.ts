import type { DevnetNode } from '@lanyard/devnet'
import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import type { PrivateKeyAccount } from 'viem'
import { startAlto } from '../programs/alto.ts'
import { startPostgres } from '../programs/postgres.ts'
import { startService } from '../programs/service.ts'
import { median, medians, takeTurns, timed } from '../report/statistics.ts'
import { createChain, deploy, fund, ownersFrom } from '../wallets/chain.ts'
import { createOurs } from '../wallets/ours.ts'
import { createPeer, type PeerWallet } from '../wallets/peer.ts'

/** Builds before the first measured one, so that all processes have optimized their code. */
const latencyRounds = { warmUp: 50, rounds: 50 }
const trafficRounds = { warmUp: 3, rounds: 15 }

/** Milliseconds added to each round trip, about the latency of a hosted node in the same region. */
export const nodeLatency = 25

/** An account that builds once on each side. */
interface Builder {
  readonly owner: PrivateKeyAccount
  readonly wallet: PeerWallet
}

/** One account for each round; without `isDeployed`, the accounts have only money. */
async function createBuilders(
  { rpcUrl }: DevnetNode,
  peer: ReturnType<typeof createPeer>,
  {
    first,
    warmUp,
    rounds,
    isDeployed,
  }: { first: number; warmUp: number; rounds: number; isDeployed: boolean },
): Promise<readonly Builder[]> {
  const chain = createChain(rpcUrl)
  const owners = ownersFrom(first, warmUp + rounds)
  await fund(chain, owners)
  if (isDeployed) await deploy(chain, owners)
  const builders: Builder[] = []
  for (const owner of owners) builders.push({ owner, wallet: await peer.wallet(owner) })
  return builders
}

const at = (builders: readonly Builder[], round: number) => {
  const builder = builders[round]
  if (!builder) throw new TypeError('There is an account for each round')
  return builder
}

/** Measures builds of deployed accounts, and of some that are not deployed: medians in milliseconds. */
export async function measureLatency(node: DevnetNode, progress: (line: string) => void) {
  await using postgres = await startPostgres()
  await using onPGlite = await startService(node)
  await using onPostgres = postgres && (await startService(node, await postgres.fresh()))
  await using alto = await startAlto(node.rpcUrl)
  const peer = createPeer({ rpcUrl: node.rpcUrl, bundlerUrl: alto.url })
  const services = {
    PGlite: createOurs(onPGlite.url),
    ...(onPostgres && { PostgreSQL: createOurs(onPostgres.url) }),
  }

  const results = []
  for (const state of ['deployed', 'not deployed'] as const) {
    const isDeployed = state === 'deployed'
    const first = isDeployed ? 0 : 1000
    const builders = await createBuilders(node, peer, { first, isDeployed, ...latencyRounds })
    for (const { owner } of builders)
      for (const service of Object.values(services)) await service.create(owner)
    progress(`latency, accounts ${state}: ${latencyRounds.rounds} builds each`)
    // An account builds many times in its life: on each side, the measured build is not its first one.
    const second = async (build: () => Promise<unknown>) => {
      await build()
      return (await timed(build)).ms
    }
    const { peer: ofPeer = [], ...ofServices } = await takeTurns<string, number>(
      {
        peer: (round) => second(at(builders, round).wallet.prepare),
        ...Object.fromEntries(
          Object.entries(services).map(([engine, { build }]) => [
            engine,
            (round: number) => second(() => build(at(builders, round).owner)),
          ]),
        ),
      },
      latencyRounds,
    )
    for (const [engine, times] of Object.entries(ofServices))
      results.push({
        state,
        engine: engine as keyof typeof services,
        ours: median(times),
        peer: median(ofPeer),
      })
  }
  return results
}

/** Counts the node requests of one warm build, and its duration with a distant node: medians, since background polling sometimes overlaps a build. */
export async function measureTraffic(node: DevnetNode, progress: (line: string) => void) {
  await using ourProxy = await startRpcProxy(node.rpcUrl, nodeLatency)
  await using peerProxy = await startRpcProxy(node.rpcUrl, nodeLatency)
  await using service = await startService({ chainId: node.chainId, rpcUrl: ourProxy.url })
  await using alto = await startAlto(peerProxy.url)
  const ours = createOurs(service.url)
  const peer = createPeer({ rpcUrl: peerProxy.url, bundlerUrl: alto.url })
  const builders = await createBuilders(node, peer, { first: 2000, isDeployed: true, ...trafficRounds })
  for (const { owner } of builders) await ours.create(owner)
  progress(
    `round trips: ${trafficRounds.rounds} builds each, through a proxy that counts and adds ${nodeLatency} ms`,
  )

  const count = async (proxy: typeof ourProxy, build: () => Promise<unknown>) => {
    proxy.take()
    const { ms } = await timed(build)
    const { trips, requests } = proxy.take()
    return { ms, trips, requests }
  }
  const counted = await takeTurns(
    {
      ours: (round) => count(ourProxy, () => ours.build(at(builders, round).owner)),
      peer: (round) => count(peerProxy, at(builders, round).wallet.prepare),
    },
    trafficRounds,
  )
  return { ours: medians(counted.ours), peer: medians(counted.peer) }
}
