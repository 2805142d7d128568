import type { Bench } from '../bench.ts'
import { startPostgres } from '../programs/postgres.ts'
import type { Comparison } from '../report/result.ts'
import { median } from '../report/statistics.ts'
import { versionsOf } from '../report/versions.ts'
import { alto } from './alto.ts'
import { type Arena, startArena } from './arena.ts'
import { bareChain } from './bare-chain.ts'
import { lanyard } from './lanyard.ts'

const accounts = 60
const sequential = 11
const parallelRounds = 3

/** From a signed operation to its block. */
export const inclusionBench: Bench = {
  name: 'inclusion',
  async run(progress) {
    progress('starting')
    await using postgres = await startPostgres()
    await using onPGlite = await startArena(accounts, lanyard())
    await using onPostgres = postgres && (await startArena(accounts, lanyard(await postgres.fresh())))
    await using peer = await startArena(accounts, alto)
    await using chain = await startArena(sequential, bareChain)
    const ours = new Map([['PGlite', onPGlite]])
    if (onPostgres) ours.set('PostgreSQL', onPostgres)
    const bundling = [...ours.values(), peer]

    for (const arena of [...bundling, chain]) await arena.race(1) // warm
    progress(`one after the other: ${sequential} operations each`)
    const latency = await inTurn(sequential, [...bundling, chain], (arena) => arena.race(1))
    progress(`all at once: ${parallelRounds} rounds of ${accounts} accounts each`)
    const rates = await inTurn(
      parallelRounds,
      bundling,
      async (arena) => accounts / ((await arena.race(accounts)) / 1000),
    )

    const comparisons = [...ours].flatMap(([engine, arena]): Comparison[] => [
      {
        what: `Submit to inclusion, one operation at a time, on ${engine}`,
        unit: 'ms',
        ours: latency(arena),
        peer: latency(peer),
        peerName: 'Alto',
      },
      {
        what: `The same, over the chain itself, on ${engine}`,
        unit: 'ms',
        ours: latency(arena),
        peer: latency(chain),
        peerName: 'a signed handleOps transaction',
      },
      {
        what: `Operations per second, ${accounts} accounts at once, on ${engine}`,
        unit: 'operations/s',
        ours: rates(arena),
        peer: rates(peer),
        peerName: 'Alto',
        goal: { of: 'ratio', bound: 'at least', value: 5 },
        whenMissed:
          'alone in its bundle an operation takes 26 SQL statements from its signature to its inclusion, in which the signed operation, the bundle and the inclusion are written down so that a crash loses nothing, and it is simulated again before it is sent; Alto keeps its mempool in memory. Service, database, node and clients share the processors.',
      },
    ])
    return {
      title: 'Inclusion',
      method:
        'Operations are built and signed beforehand. The clock starts with the request (POST submit; `eth_sendUserOperation`) and stops when `UserOperationEvent` is seen on the node, which is asked every 10 ms. Each side has a node of its own that mines a transaction at once, and one key that sends bundles. Accounts are deployed, and pay 1 wei to an account that exists.',
      versions: versionsOf('@pimlico/alto', 'permissionless', 'viem'),
      comparisons,
    }
  },
}

/** Measures each arena once a round, one after the other; answers the median of an arena. */
async function inTurn(
  rounds: number,
  arenas: readonly Arena[],
  measure: (arena: Arena) => Promise<number>,
): Promise<(arena: Arena) => number> {
  const figures = new Map<Arena, number[]>(arenas.map((arena) => [arena, []]))
  for (let round = 0; round < rounds; round++)
    for (const arena of arenas) figures.get(arena)?.push(await measure(arena))
  return (arena) => median(figures.get(arena) ?? [])
}
