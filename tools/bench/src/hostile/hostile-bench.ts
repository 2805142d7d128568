import { startNode } from '@lanyard/devnet'
import type { Bench } from '../bench.ts'
import { type Postgres, startPostgres } from '../programs/postgres.ts'
import { startProcess } from '../programs/service.ts'
import type { Comparison } from '../report/result.ts'
import { percentile } from '../report/statistics.ts'
import { versionsOf } from '../report/versions.ts'
import { hostilePerSecond, measureReverting } from './reverting.ts'
import { measureWrongSignatures, senders, sentPerSecond } from './wrong-signatures.ts'

/** Others' latency while somebody attacks, beside that of the same callers when nobody does. */
export const hostileBench: Bench = {
  name: 'hostile',
  async run(progress) {
    await using postgres = await startPostgres()
    progress('wrong signatures')
    const builds = await runWrongSignatures(postgres, progress)
    progress('operations that revert on chain')
    const inclusions = await measureReverting(postgres, progress)
    const signatures = `${senders} senders of ${sentPerSecond} wrong signatures a second each`
    const reverts = `${hostilePerSecond} operations a second made to revert on chain`
    return {
      title: 'Hostile callers',
      method: `The service in its own process, on ${postgres ? 'PostgreSQL' : 'PGlite'}; each attack has a node and a service of its own. Four callers do one thing after the other, all of which succeeds. In every other round somebody attacks; quiet and attacked rounds take turns. Builds: with the default rate limits, each from another address, while ${signatures} submit for a wallet for which third parties keep 64 builds, without naming the operation. Submit to inclusion: from the request to the answer that it is included, without rate limits, beside ${reverts}, built before, each of another account with another paymaster that agrees at an even head and reverts in an odd block. ${inclusions.revertedPerSecond.toFixed(1)} bundles a second reverted; the rest was refused by a simulation, or met an even block.`,
      versions: versionsOf('viem'),
      comparisons: [
        ...compare('Builds of others', `under ${signatures}`, builds),
        ...compare('Submit to inclusion of others', `beside ${reverts}`, inclusions),
      ],
    }
  },
}

async function runWrongSignatures(postgres: Postgres | undefined, progress: (line: string) => void) {
  await using node = await startNode()
  const databaseUrl = await postgres?.fresh()
  await using service = await startProcess([{ chainId: node.chainId, rpcUrl: node.rpcUrl }], {
    databaseUrl,
    environment: { RATE_LIMITS: 'on', TRUST_PROXY: '1' },
  })
  const measured = await measureWrongSignatures(node, service.url, progress)
  if (measured.failed > 0) throw new Error(`${measured.failed} builds of others failed under attack`)
  return measured
}

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
