import { startNode } from '@lanyard/devnet'
import type { Bench } from '../bench.ts'
import type { Comparison } from '../report/result.ts'
import { versionsOf } from '../report/versions.ts'
import { measureLatency } from './measure-latency.ts'
import { measureTraffic, nodeLatency } from './measure-traffic.ts'

const peerName = 'permissionless + Alto'

const whenMissed =
  'a small part of the time is spent waiting for the node; the rest is the service’s own: a transaction that reserves the nonce and keeps the operation, and, on PGlite, the database in the same process. The peer keeps nothing, and with a node on the same machine its further round trips cost little.'

/** Compares POST /smart-account/transaction/build with permissionless' prepareUserOperation on Alto. */
export const buildBench: Bench = {
  name: 'build',
  async run(progress) {
    await using node = await startNode()
    const latency = await measureLatency(node, progress)
    const traffic = await measureTraffic(node, progress)
    const comparisons: Comparison[] = [
      ...latency.flatMap(({ state, peer, onPGlite, onPostgres }) =>
        Object.entries({ PGlite: onPGlite, ...(onPostgres && { PostgreSQL: onPostgres }) }).map(
          ([engine, ours]) => ({
            what: `Build, account ${state}, on ${engine}`,
            unit: 'ms' as const,
            ours,
            peer,
            peerName,
            goal: { of: 'ratio', bound: 'at most', value: 0.5 } as const,
            whenMissed,
          }),
        ),
      ),
      {
        what: `Build, account deployed, node ${nodeLatency} ms away, on PGlite`,
        unit: 'ms',
        ours: traffic.ours.ms,
        peer: traffic.peer.ms,
        peerName,
        goal: { of: 'ratio', bound: 'at most', value: 0.5 },
      },
      {
        what: 'Round trips to the chain’s node per build',
        unit: 'requests',
        ours: traffic.ours.trips,
        peer: traffic.peer.trips,
        peerName,
        goal: { of: 'ours', bound: 'at most', value: 3 },
      },
      {
        what: 'JSON-RPC requests to the chain’s node per build',
        unit: 'requests',
        ours: traffic.ours.requests,
        peer: traffic.peer.requests,
        peerName,
      },
    ]
    return {
      title: 'Build',
      method:
        'One payment of 1 wei by a Safe of an EOA; another account for each build, ours and the peer in turn, on the same node. Ours: POST over HTTP to the service in its own process (embedded bundler), which also simulates the calls and keeps the operation. The peer: `prepareUserOperation` in the calling process, warm (the account object exists), and Alto in its own process. Round trips are counted in a second run by a proxy in front of the node, which also makes each take longer; what Alto asks of the node counts for the peer.',
      versions: versionsOf('permissionless', '@pimlico/alto', 'viem'),
      comparisons,
    }
  },
}
