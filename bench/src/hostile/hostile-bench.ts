import { startNode } from '@lanyard/devnet'
import type { Bench } from '../bench.ts'
import { startPostgres } from '../programs/postgres.ts'
import { startProcess } from '../programs/service.ts'
import { percentile } from '../report/statistics.ts'
import { versionsOf } from '../report/versions.ts'
import { measureWrongSignatures, senders, sentPerSecond } from './wrong-signatures.ts'

/** Others' latency while somebody attacks, beside that of the same callers when nobody does. */
export const hostileBench: Bench = {
  name: 'hostile',
  async run(progress) {
    await using node = await startNode()
    await using postgres = await startPostgres()
    const databaseUrl = await postgres?.fresh()
    await using service = await startProcess([{ chainId: node.chainId, rpcUrl: node.rpcUrl }], {
      databaseUrl,
      environment: { RATE_LIMITS: 'on', TRUST_PROXY: '1' },
    })
    const { quiet, attacked, failed } = await measureWrongSignatures(node, service.url, progress)
    if (failed > 0) throw new Error(`${failed} builds of others failed under attack`)
    const attack = `${senders} senders of ${sentPerSecond} wrong signatures a second each`
    const lines = [50, 99].map((percent) => ({
      what: `Builds of others, p${percent}, under ${attack}`,
      unit: 'ms' as const,
      ours: percentile(attacked, percent),
      peer: percentile(quiet, percent),
      peerName: 'the same callers, quiet',
      ...(percent === 99 && { goal: { of: 'ratio', bound: 'at most', value: 2 } as const }),
    }))
    return {
      title: 'Hostile callers',
      method: `The service in its own process with its default rate limits, on ${postgres ? 'PostgreSQL' : 'PGlite'}. Four callers build one payment after the other, each build from another address. In every other round ${attack} submit for a wallet for which third parties keep 64 builds, without naming the operation. Quiet and attacked rounds take turns; all builds of others succeeded.`,
      versions: versionsOf('viem'),
      comparisons: lines,
    }
  },
}
