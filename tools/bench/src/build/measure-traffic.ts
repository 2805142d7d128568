import type { DevnetNode } from '@lanyard/devnet'
import { type RpcProxy, startRpcProxy, type Traffic } from '@lanyard/testing/fault-proxy'
import { startAlto } from '../programs/alto.ts'
import { startService } from '../programs/service.ts'
import { median, timed } from '../report/statistics.ts'
import { createChain, deploy, fund } from '../wallets/chain.ts'
import { createOurs } from '../wallets/ours.ts'
import { ownersFrom } from '../wallets/owner.ts'
import { createPeer } from '../wallets/peer.ts'

const warmUp = 3
const rounds = 15

/** Milliseconds added to each round trip, about the latency of a hosted node in the same region. */
export const nodeLatency = 25

/** The node requests of one warm build, and its duration with a distant node. */
export interface BuildTraffic extends Pick<Traffic, 'trips' | 'requests'> {
  readonly ms: number
}

/** Returns medians, since background polling sometimes overlaps a build. */
export async function measureTraffic(
  node: DevnetNode,
  progress: (line: string) => void,
): Promise<{ ours: BuildTraffic; peer: BuildTraffic }> {
  const chain = createChain(node.rpcUrl)
  await using ourProxy = await startRpcProxy(node.rpcUrl, nodeLatency)
  await using peerProxy = await startRpcProxy(node.rpcUrl, nodeLatency)
  await using service = await startService({ chainId: node.chainId, rpcUrl: ourProxy.url })
  await using alto = await startAlto(peerProxy.url)
  const ours = createOurs(service.url)
  const peer = createPeer({ rpcUrl: peerProxy.url, bundlerUrl: alto.url })

  const owners = ownersFrom(2000, warmUp + rounds)
  await fund(chain, owners)
  await deploy(chain, owners)
  progress(`round trips: ${rounds} builds each, through a proxy that counts and adds ${nodeLatency} ms`)

  const builds = { ours: [] as BuildTraffic[], peer: [] as BuildTraffic[] }
  for (const owner of owners) {
    await ours.create(owner)
    const wallet = await peer.wallet(owner)
    builds.ours.push(await count(ourProxy, () => ours.build(owner)))
    builds.peer.push(await count(peerProxy, wallet.prepare))
  }
  return { ours: middle(builds.ours), peer: middle(builds.peer) }
}

async function count(proxy: RpcProxy, build: () => Promise<unknown>): Promise<BuildTraffic> {
  proxy.take()
  const { ms } = await timed(build)
  return { ...proxy.take(), ms }
}

function middle(all: readonly BuildTraffic[]): BuildTraffic {
  const warm = all.slice(warmUp)
  return {
    trips: median(warm.map(({ trips }) => trips)),
    requests: median(warm.map(({ requests }) => requests)),
    ms: median(warm.map(({ ms }) => ms)),
  }
}
