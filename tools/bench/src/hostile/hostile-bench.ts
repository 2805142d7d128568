import { type DevnetNode, startNode } from '@lanyard/devnet'
import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import type { Bench } from '../bench.ts'
import { type Postgres, startPostgres } from '../programs/postgres.ts'
import { startProcess } from '../programs/service.ts'
import type { Comparison } from '../report/result.ts'
import { percentile } from '../report/statistics.ts'
import { versionsOf } from '../report/versions.ts'
import { type Measured, measureBuildsOfOthers, type RequestAttack } from './builds-of-others.ts'
import { costlyReads, foreignBuilds, slowNetworkBuilds, wrongSignatures } from './request-attacks.ts'
import { hostilePerSecond, measureReverting } from './reverting.ts'

const slowChainId = 31338
/** Additional milliseconds of each round trip to the slow network. */
const slowness = 2_000

const rateOf = ({ senders, perSecond }: RequestAttack) =>
  `${senders} senders of ${perSecond.toFixed(1).replace('.0', '')} a second each`

const slowBuilds = slowNetworkBuilds(slowChainId)
const requestAttacks: readonly { readonly under: string; readonly attack: RequestAttack }[] = [
  { under: `builds by third parties for one wallet, ${rateOf(foreignBuilds)}`, attack: foreignBuilds },
  { under: `wrong signatures, ${rateOf(wrongSignatures)}`, attack: wrongSignatures },
  { under: `builds on a slow network, ${rateOf(slowBuilds)}`, attack: slowBuilds },
  { under: `costly reads, ${rateOf(costlyReads)}`, attack: costlyReads },
]

/** The latency of other callers during an attack, compared with the same callers without one. */
export const hostileBench: Bench = {
  name: 'hostile',
  async run(progress) {
    await using postgres = await startPostgres()
    const builds: Comparison[] = []
    for (const { under, attack } of requestAttacks) {
      progress(under)
      builds.push(
        ...compare('Builds of others', `under ${under}`, await runRequests(attack, postgres, progress)),
      )
    }
    progress('operations that revert on chain')
    const inclusions = await measureReverting(postgres, progress)
    const reverts = `${hostilePerSecond} operations a second made to revert on chain`
    return {
      title: 'Hostile callers',
      method: `The service in its own process, on ${postgres ? 'PostgreSQL' : 'PGlite'}; each attack has its own node and service. Four callers send requests one after the other; if any of them fails, so does the run. Quiet rounds and rounds with an attack alternate. Builds: with the default rate limits, each from another address. Wrong signatures are submitted for a wallet with 64 builds by third parties, without naming the operation. The slow network answers ${slowness / 1_000} s late, while others build on another network. Submit to inclusion: from the request to the answer after inclusion, without rate limits, beside ${reverts}. These are built beforehand, each by another account with another paymaster that approves at even heads and reverts in odd blocks. ${inclusions.revertedPerSecond.toFixed(1)} bundles a second reverted; simulation rejected the others, or they landed in an even block.`,
      versions: versionsOf('viem'),
      comparisons: [...builds, ...compare('Submit to inclusion of others', `beside ${reverts}`, inclusions)],
    }
  },
}

async function runRequests(
  attack: RequestAttack,
  postgres: Postgres | undefined,
  progress: (line: string) => void,
): Promise<Measured> {
  await using node = await startNode()
  await using other = await startNode({ chainId: slowChainId })
  await using slow = await startRpcProxy(other.rpcUrl, slowness)
  const networks = [endpointOf(node), { chainId: other.chainId, rpcUrl: slow.url }]
  await using service = await startProcess(networks, {
    databaseUrl: await postgres?.fresh(),
    environment: { RATE_LIMITS: 'on', TRUST_PROXY: '1' },
  })
  const measured = await measureBuildsOfOthers(node, service.url, attack, progress)
  if (measured.failed > 0) throw new Error(`${measured.failed} builds of others failed under attack`)
  return measured
}

const endpointOf = ({ chainId, rpcUrl }: DevnetNode) => ({ chainId, rpcUrl })

const compare = (
  what: string,
  attack: string,
  { quiet, attacked }: { readonly quiet: readonly number[]; readonly attacked: readonly number[] },
): Comparison[] =>
  [50, 99].map((percent) => ({
    what: `${what}, p${percent}, ${attack}`,
    unit: 'ms',
    ours: percentile(attacked, percent),
    peer: percentile(quiet, percent),
    peerName: 'the same callers, quiet',
    ...(percent === 99 && { goal: { of: 'ratio', bound: 'at most', value: 2 } as const }),
  }))
