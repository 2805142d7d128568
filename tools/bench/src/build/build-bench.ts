import { startNode } from '@lanyard/devnet'
import type { Bench } from '../bench.ts'
import { versionsOf } from '../report/machine.ts'
import type { Comparison } from '../report/result.ts'
import { measureLatency, measureTraffic, nodeLatency } from './measure-build.ts'

const peerName = 'permissionless + Alto'

const whenMissed =
  'of 7 ms on PostgreSQL, measured inside the service, the node takes 1.5 ms, the commit 1.3 ms, the processor time of the service 2 ms, and HTTP on both sides most of the rest. A build already takes only one read of the database, during the simulation, one write, and one multicall, and a known account is neither read again nor simulated twice. It needs the commit, because a build whose owner signs it must survive a crash of the database. The peer stores nothing, and its eight further round trips cost little with a node on the same machine. If the node is 25 ms away, these round trips dominate (see below). PGlite runs its SQL in the process of the service, compiled to WebAssembly.'

/** The highest ratios that count as met. */
const goals = {
  deployed: { PostgreSQL: 0.5, PGlite: 0.7 },
  'not deployed': { PostgreSQL: 0.6, PGlite: 0.8 },
} as const

/** Compares POST /smart-account/transaction/build with permissionless' prepareUserOperation on Alto. */
export const buildBench: Bench = {
  name: 'build',
  async run(progress) {
    await using node = await startNode()
    const latency = await measureLatency(node, progress)
    const traffic = await measureTraffic(node, progress)
    const comparisons: Comparison[] = [
      ...latency.map(({ state, engine, ours, peer }) => ({
        ...({
          what: `Build, account ${state}, on ${engine}`,
          unit: 'ms',
          ours,
          peer,
          peerName,
          whenMissed,
        } as const),
        goal: { of: 'ratio', bound: 'at most', value: goals[state][engine] } as const,
      })),
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
        'One payment of 1 wei by an EOA’s Safe. Each build uses another account, which has built once before on each side; ours and the peer alternate on the same node, after 50 unmeasured rounds. Ours: POST over HTTP to the service in its own process (embedded bundler), which also simulates the calls and stores the operation. The peer: `prepareUserOperation` in the calling process, warm (the account object exists), and Alto in its own process. A proxy in front of the node counts round trips in a second run, and adds latency to each. Alto’s requests to the node count for the peer.',
      versions: versionsOf('permissionless', '@pimlico/alto', 'viem'),
      comparisons,
    }
  },
}
