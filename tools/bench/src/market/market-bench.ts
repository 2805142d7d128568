import type { Bench } from '../bench.ts'
import { startAlto } from '../programs/alto.ts'
import { startPostgres } from '../programs/postgres.ts'
import { startProcess } from '../programs/service.ts'
import { versionsOf } from '../report/machine.ts'
import type { Comparison } from '../report/result.ts'
import { percentile } from '../report/statistics.ts'
import { devAccount } from '../wallets/chain.ts'
import { createOurs } from '../wallets/ours.ts'
import { blockTime, type MarketOutcome, runMarket, type StartMarketBundler } from './market-fixture.ts'

const alto: StartMarketBundler = async (rpcUrl) => {
  const program = await startAlto(rpcUrl, { blockTime })
  return { ...program, relayer: devAccount(8).address }
}

const lanyard =
  (databaseUrl?: string): StartMarketBundler =>
  async (rpcUrl, chainId, owners) => {
    const program = await startProcess([{ chainId, rpcUrl, blockTime }], { databaseUrl })
    const ours = createOurs(program.url)
    for (const owner of owners) await ours.create(owner)
    return { ...program, url: `${program.url}/rpc/${chainId}`, relayer: devAccount(-1).address }
  }

/** A rising and falling base fee, a least tip, full blocks and cheap operations: both bundlers in one run. */
export const marketBench: Bench = {
  name: 'market',
  async run(progress) {
    await using postgres = await startPostgres()
    const report = (name: string) => (line: string) => progress(`${name}: ${line}`)
    const [ours, peer] = await Promise.all([
      runMarket(lanyard(await postgres?.fresh()), report('Lanyard')),
      runMarket(alto, report('Alto')),
    ])
    for (const [name, outcome] of [
      ['Lanyard', ours],
      ['Alto', peer],
    ] as const)
      progress(`${name}: ${describe(outcome)}`)
    const beside = (
      what: string,
      unit: Comparison['unit'],
      of: (outcome: MarketOutcome) => number,
      goal?: Comparison['goal'],
      whenMissed?: string,
    ): Comparison => ({
      ...{ what, unit, ours: of(ours), peer: of(peer), peerName: 'Alto' },
      ...(goal && { goal }),
      ...(whenMissed && { whenMissed }),
    })
    return {
      title: 'Fee market',
      method:
        'Two honest operations in each block of a second, signed by permissionless with the bundler’s own fees, and one in ten of attackers who offer the least that is accepted. Competing transactions fill blocks, the highest tips first, so the base fee rises to more than six times and falls again, by at most an eighth in a block (EIP-1559). The node refuses tips below 0.1 gwei. A block counts as waiting only if the operation could pay for it. Both bundlers run at the same time, each on its own chain, ours on PostgreSQL if it is installed.',
      versions: versionsOf('@pimlico/alto', 'permissionless'),
      comparisons: [
        beside('Affordable blocks until inclusion, p50', 'blocks', ({ waits }) => percentile(waits, 50)),
        beside(
          'Affordable blocks until inclusion, p99',
          'blocks',
          ({ waits }) => percentile(waits, 99),
          {
            of: 'ours',
            bound: 'at most',
            value: 3,
          },
          'on a machine with a high load a second is less than one pass takes.',
        ),
        beside('Time until inclusion, p50', 'ms', ({ times }) => percentile(times, 50)),
        beside('Time until inclusion, p99', 'ms', ({ times }) => percentile(times, 99)),
        beside('Honest operations refused or not included', 'operations', (one) => one.refused + one.lost),
        beside('Profit of the relayer', 'gwei/operation', ({ profit }) => profit / 1e9, {
          of: 'ours',
          bound: 'at least',
          value: 0,
        }),
      ],
    }
  },
}

const describe = ({ waits, refused, lost, cheap, profit }: MarketOutcome) =>
  `${waits.length} included, ${refused} refused, ${lost} not included; affordable blocks p50 ${percentile(waits, 50)}, p99 ${percentile(waits, 99)}, most ${Math.max(...waits)}; cheap ${cheap.included} of ${cheap.accepted}; profit ${(profit / 1e9).toFixed(0)} gwei an operation`
