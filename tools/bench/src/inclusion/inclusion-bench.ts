import { availableParallelism } from 'node:os'
import type { Bench } from '../bench.ts'
import { startPostgres } from '../programs/postgres.ts'
import { versionsOf } from '../report/machine.ts'
import type { Comparison } from '../report/result.ts'
import { median, takeTurns } from '../report/statistics.ts'
import { alto, bareChain, lanyard } from './contenders.ts'
import { countLone, type LoneCounts } from './count-lone.ts'
import { type ProcessorTime, processorTimeOfOne, startRaceFixture } from './race-fixture.ts'

const accounts = 60
const sequential = 11
const parallelRounds = 5

/** Unmeasured operations on our sides and the bare chain, one after the other. */
const warmUps = 40

/** Operations at once; a bundle of ours holds up to 32. */
const sizes = [1, 4, 16, 32, accounts] as const

/** Compared with Alto: operations per second, and processor time of an operation. PGlite is for development. */
const goals = {
  PostgreSQL: { rate: 1.5, processorTime: 0.75 },
  PGlite: { rate: 0.75, processorTime: 0.9 },
} as const

/** Submit to inclusion on PostgreSQL, compared with a bare `handleOps` transaction. */
const maxOverChain = 4

/** From the inclusion to the answer, compared with the same. */
const maxAnswerOverChain = 0.5

/** What a lone operation on PostgreSQL should take. `maxOfLone` is what it may take today. */
const loneGoals: LoneCounts = { statements: 4, commits: 2, trips: 3, requests: 7 }

function ofLone(counts: LoneCounts): Comparison[] {
  const row = (
    count: keyof LoneCounts,
    unit: 'statements' | 'commits' | 'round trips' | 'requests',
    what: string,
  ): Comparison => ({
    ...{ what, unit, ours: counts[count] },
    goal: { of: 'ours', bound: 'at most', value: loneGoals[count] },
    whenMissed:
      'the signature, the lease, the bundle, its release and the inclusion are a write each, so that each step is safe before the next. The operation is simulated for its sender, and again as the bundle.',
  })
  return [
    row('statements', 'statements', 'SQL statements of a lone operation, from its request to the answer'),
    row('commits', 'commits', 'Database transactions of it that write'),
    row('trips', 'round trips', 'Round trips of it to the node'),
    row('requests', 'requests', 'JSON-RPC requests in them'),
  ]
}

/** From a signed operation to its block. */
export const inclusionBench: Bench = {
  name: 'inclusion',
  async run(progress) {
    progress('starting')
    await using postgres = await startPostgres()
    await using onPGlite = await startRaceFixture(accounts, lanyard())
    await using onPostgres = postgres && (await startRaceFixture(accounts, lanyard(postgres)))
    await using peer = await startRaceFixture(accounts, alto)
    await using chain = await startRaceFixture(sequential, bareChain)
    const fixtures = {
      PGlite: onPGlite,
      ...(onPostgres && { PostgreSQL: onPostgres }),
      Alto: peer,
      chain,
    }
    const engines = onPostgres ? (['PGlite', 'PostgreSQL'] as const) : (['PGlite'] as const)
    const raceWithout = (side: string | undefined, rounds: number, size: number) => {
      const racing = Object.entries(fixtures).filter(([name]) => name !== side)
      return takeTurns(
        Object.fromEntries(racing.map(([name, fixture]) => [name, () => fixture.race(size)])),
        { rounds },
      )
    }

    progress(`warm-up: ${warmUps} operations`)
    await raceWithout('Alto', warmUps, 1)
    await peer.race(1) // only one, because its pause between bundles grows with its recent load
    progress(`one after the other: ${sequential} operations each`)
    const races = new Map([[1, await raceWithout(undefined, sequential, 1)]])
    progress(`${sizes.slice(1).join(', ')} at once: ${parallelRounds} rounds each`)
    for (const size of sizes.slice(1)) {
      await raceWithout('chain', 1, size) // warm-up
      races.set(size, await raceWithout('chain', parallelRounds, size))
    }
    const racesOf = (side: keyof typeof fixtures, size: number) => races.get(size)?.[side] ?? []
    const latency = (side: keyof typeof fixtures) => median(racesOf(side, 1).map(({ ms }) => ms))
    const rates = (side: keyof typeof fixtures, size: number = accounts) =>
      median(racesOf(side, size).map(({ ms }) => size / (ms / 1000)))
    const gas = (side: keyof typeof fixtures, size: number) =>
      median(racesOf(side, size).map(({ gasPerOperation }) => gasPerOperation))
    const processorTimes = (side: keyof typeof fixtures, size: number = accounts) =>
      processorTimeOfOne(racesOf(side, size), size)
    const ofPeer = processorTimes('Alto')
    progress('what a lone operation takes')
    const lone = postgres && (await countLone(postgres))
    const engineOfSizes = onPostgres ? 'PostgreSQL' : 'PGlite'

    const comparisons = engines.flatMap((engine): Comparison[] => [
      {
        what: `Submit to inclusion, one operation at a time, on ${engine}`,
        unit: 'ms',
        ours: latency(engine),
        peer: latency('Alto'),
        peerName: 'Alto',
      },
      {
        what: `The same, over the chain itself, on ${engine}`,
        unit: 'ms',
        ours: latency(engine),
        peer: latency('chain'),
        peerName: 'a signed handleOps transaction',
        ...(engine === 'PostgreSQL' && {
          goal: { of: 'ratio', bound: 'at most', value: maxOverChain },
          whenMissed: whyMissed(processorTimes(engine, 1)),
        }),
      },
      {
        what: `From inclusion to the answer, one operation at a time, on ${engine}`,
        unit: 'ms',
        ours: median(racesOf(engine, 1).map(({ ms, answeredMs }) => Math.max(0, answeredMs - ms))),
        peer: latency('chain'),
        peerName: 'a signed handleOps transaction',
        ...(engine === 'PostgreSQL' && {
          goal: { of: 'ratio', bound: 'at most', value: maxAnswerOverChain },
        }),
      },
      {
        what: `Operations per second, ${accounts} accounts at once, on ${engine}`,
        unit: 'operations/s',
        ours: rates(engine),
        peer: rates('Alto'),
        peerName: 'Alto',
        goal: { of: 'ratio', bound: 'at least', value: goals[engine].rate },
        whenMissed: whyMissed(processorTimes(engine), goals[engine].rate * rates('Alto')),
      },
      ...(ofPeer.whole > 0
        ? [
            {
              what: `Processor time of an operation, all processes, on ${engine}`,
              unit: 'ms' as const,
              ours: processorTimes(engine).whole,
              peer: ofPeer.whole,
              peerName: 'Alto',
              goal: { of: 'ratio', bound: 'at most', value: goals[engine].processorTime } as const,
              whenMissed: whyMissed(processorTimes(engine)),
            },
          ]
        : []),
    ])
    const bySize = sizes.flatMap((size): Comparison[] => {
      const beside = { peerName: 'Alto' } as const
      const rate = {
        ...beside,
        what: `Operations per second, ${size} at once, on ${engineOfSizes}`,
        unit: 'operations/s',
        ours: rates(engineOfSizes, size),
        peer: rates('Alto', size),
        goal: { of: 'ratio', bound: 'at least', value: goals[engineOfSizes].rate },
        whenMissed: whyMissed(
          processorTimes(engineOfSizes, size),
          goals[engineOfSizes].rate * rates('Alto', size),
        ),
      } as const
      const cost = {
        ...beside,
        what: `Gas of an operation, ${size} at once`,
        unit: 'gas',
        ours: gas(engineOfSizes, size),
        peer: gas('Alto', size),
      } as const
      return size === accounts ? [cost] : [rate, cost]
    })
    return {
      title: 'Inclusion',
      method:
        'Operations are built and signed beforehand. The clock starts with the request (POST submit; `eth_sendUserOperation`) and stops when `UserOperationEvent` appears on the node, whose head is polled every millisecond. PostgreSQL runs with `fsync` and `synchronous_commit` on. Each side has its own node, which mines a transaction immediately, and one key that sends bundles. Before the first measurement, ours and the bare chain send 40 operations one after the other, and Alto sends one: its pause between bundles grows with its recent load, from 100 ms to 1 s. Each larger size begins with an unmeasured race. The accounts are deployed, and pay 1 wei to an existing account. Processor time is the sum for service, database, node and clients, which share the processors, from the first request to the last answer, averaged over the races. PGlite runs in the service’s process. Gas is the gas used by the transactions that included the operations, divided by the number of operations: concurrent operations share a bundle if the bundler combines them.',
      versions: versionsOf('@pimlico/alto', 'permissionless', 'viem'),
      comparisons: [...comparisons, ...(lone ? ofLone(lone) : []), ...bySize],
    }
  },
}

/**
 * What each part of an operation takes.
 *
 * @param goal - operations per second: says what they would leave for each
 */
function whyMissed({ whole, parts }: ProcessorTime, goal?: number): string {
  const why =
    'an operation that is alone in its bundle takes 8 SQL statements and 3 round trips to the node, most of them one after the other. They store the signed operation, the bundle and the inclusion, each committed before the next step, so that a crash loses nothing. Steps that do not depend on each other run at the same time, and operations that arrive together share all of them. Alto keeps its mempool in memory.'
  if (whole === 0) return why
  const processors = availableParallelism()
  const list = Object.entries(parts).map(([part, time]) => `${part} ${time.toFixed(1)} ms`)
  const takes = `it takes ${whole.toFixed(1)} ms of processor time: ${list.join(', ')}.`
  if (goal === undefined) return `${why} Here ${takes}`
  const left = ((processors * 1000) / goal).toFixed(1)
  return `${why} The limit is the machine: ${goal.toFixed(0)} operations a second would leave each ${left} ms of its ${processors} processors, and ${takes}`
}
