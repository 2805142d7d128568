import { parseArgs } from 'node:util'
import { startPostgres } from '../programs/postgres.ts'
import { median, takeTurns } from '../report/statistics.ts'
import { alto, bareChain, lanyard } from './contenders.ts'
import { processorTimeOfOne, startRaceFixture } from './race-fixture.ts'

/**
 * Compares only operations per second with Alto, as the inclusion bench does, within two minutes. For
 * development: prints a table and writes nothing.
 */
export async function race(argv: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rounds: { type: 'string', default: '5' },
      pglite: { type: 'boolean', default: false },
      sizes: { type: 'string', default: '1,4,16,32,60' },
    },
  })
  const sizes = values.sizes.split(',').map(Number)
  const rounds = Number(values.rounds)
  const accounts = Math.max(...sizes)
  await using postgres = values.pglite ? undefined : await startPostgres()
  await using ours = await startRaceFixture(accounts, lanyard(postgres))
  await using peer = await startRaceFixture(accounts, alto)
  await using chain = await startRaceFixture(1, bareChain)
  for (const fixture of [ours, peer, chain]) await fixture.race(1) // warm-up

  console.log(`${values.pglite ? 'PGlite' : 'PostgreSQL'}; medians of ${rounds} races`)
  console.log('at once | ours op/s | Alto op/s | ratio | ours ms/op (parts)              | Alto ms/op')
  for (const size of sizes) {
    const races = await takeTurns({ ours: () => ours.race(size), peer: () => peer.race(size) }, { rounds })
    const rate = (side: 'ours' | 'peer') => median(races[side].map(({ ms }) => (size * 1000) / ms))
    const times = (side: 'ours' | 'peer') => {
      const { whole, parts } = processorTimeOfOne(races[side], size)
      const list = Object.entries(parts).map(([part, time]) => `${part} ${time.toFixed(1)}`)
      return `${whole.toFixed(1)} (${list.join(', ')})`
    }
    const [mine, theirs] = [rate('ours'), rate('peer')]
    console.log(
      `${size} | ${mine.toFixed(1)} | ${theirs.toFixed(1)} | ${(mine / theirs).toFixed(2)} | ${times('ours')} | ${times('peer')}`,
    )
    if (size === 1) {
      const { bare } = await takeTurns({ bare: () => chain.race(1) }, { rounds: 2 * rounds })
      const [alone, least] = [median(races.ours.map(({ ms }) => ms)), median(bare.map(({ ms }) => ms))]
      console.log(
        `    alone ${alone.toFixed(1)} ms, bare handleOps ${least.toFixed(1)} ms: ${(alone / least).toFixed(1)} times`,
      )
    }
  }
}
