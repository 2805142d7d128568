import type { DevnetNode } from '@lanyard/devnet'
import { startAlto } from '../programs/alto.ts'
import { startCountingProxy, type Traffic } from '../programs/counting-proxy.ts'
import { startService } from '../programs/service.ts'
import { median } from '../report/statistics.ts'
import { createChain, deploy, fund } from '../wallets/chain.ts'
import { createOurs } from '../wallets/ours.ts'
import { ownersFrom } from '../wallets/owner.ts'
import { createPeer } from '../wallets/peer.ts'

const warmUp = 3
const rounds = 15

/**
 * What a warm build asks of the node. A median: what polls in the background now and then falls into a build.
 */
export async function measureTraffic(node: DevnetNode, progress: (line: string) => void) {
  const chain = createChain(node.rpcUrl)
  await using ourProxy = await startCountingProxy(node.rpcUrl)
  await using peerProxy = await startCountingProxy(node.rpcUrl)
  await using service = await startService({ chainId: node.chainId, rpcUrl: ourProxy.url })
  await using alto = await startAlto(peerProxy.url)
  const ours = createOurs(service.url)
  const peer = createPeer({ rpcUrl: peerProxy.url, bundlerUrl: alto.url })

  const owners = ownersFrom(2000, warmUp + rounds)
  await fund(chain, owners)
  await deploy(chain, owners)
  progress(`round trips: ${rounds} builds each, through a counting proxy`)

  const counted = { ours: [] as Traffic[], peer: [] as Traffic[] }
  for (const owner of owners) {
    await ours.create(owner)
    const wallet = await peer.wallet(owner)
    ourProxy.take()
    await ours.build(owner)
    counted.ours.push(ourProxy.take())
    peerProxy.take()
    await wallet.prepare()
    counted.peer.push(peerProxy.take())
  }
  return { ours: middle(counted.ours), peer: middle(counted.peer) }
}

function middle(all: readonly Traffic[]): Traffic {
  const warm = all.slice(warmUp)
  return {
    trips: median(warm.map(({ trips }) => trips)),
    requests: median(warm.map(({ requests }) => requests)),
  }
}
