import type { Bench } from '../bench.ts'
import { startPostgres } from '../programs/postgres.ts'
import { versionsOf } from '../report/machine.ts'
import type { Comparison } from '../report/result.ts'
import { median, percentile, timed } from '../report/statistics.ts'
import { attacks, slowAttacks } from './attacks.ts'
import { type MeasuredVictims, measureVictims, sliceLength } from './measure-victims.ts'
import { builtForCount, type Fixture, startFixture, victimCount } from './victims-fixture.ts'

const externalBuilds = 1_024

/** What one attacker within all limits costs everyone else. */
export const victimsBench: Bench = {
  name: 'victims',
  async run(progress, part) {
    await using postgres = await startPostgres()
    if (!postgres) throw new Error('This bench needs PostgreSQL: initdb and postgres.')
    await using fixture = await startFixture(postgres)
    await using other = part?.elsewhere ? await startFixture(postgres) : undefined
    const comparisons: Comparison[] = []
    const sizes: { memory: number; database: number }[] = []
    const { proxy } = fixture
    if (!proxy) progress('There is no nginx here: no slow clients')
    const chosen = [...attacks, ...(proxy ? slowAttacks : [])].filter(
      ({ name }) => !part || part.rows.some((row) => name.includes(row)),
    )
    for (const attack of chosen) {
      const measured = await measureVictims(fixture, attack, other)
      progress(
        `${attack.name}: ${JSON.stringify(measured.attacker)}, ${JSON.stringify(measured.attacked.statuses)}, quiet ${JSON.stringify(measured.quiet.statuses)}`,
      )
      for (const kind of ['quiet', 'attacked'] as const)
        progress(`${kind}: ${describeSlices(measured[kind])}`)
      comparisons.push(...compare(attack.name, measured))
      sizes.push({ memory: fixture.memory(), database: await fixture.databaseSize() })
    }
    if (!part) comparisons.push(await measureExternalBuilds(fixture))
    const [early, late] = [sizes[0], sizes.at(-1)]
    if (early && late) {
      const after = { unit: 'MiB', peerName: 'after the first' } as const
      comparisons.push(
        {
          what: 'Memory of both processes and the proxy, after all attacks',
          ours: late.memory,
          peer: early.memory,
          ...after,
        },
        { what: 'Database, after all attacks', ours: late.database, peer: early.database, ...after },
      )
    }
    return {
      title: 'Victims of an attacker within all limits',
      method: `Two replicas in production mode with default limits, on PostgreSQL with fsync, behind a proxy that names the callers. ${victimCount} visitors with a publishable key, each from its own network, build once a second each, in alternating slices of ${sliceLength / 1_000} s with and without an attack; a build counts from the moment it is due. The attacker has the same key and, unless stated otherwise, one address. It keeps 32 requests open (two for each address, if it has many), tries again a quarter of a second after a 429, and has full allowances at the start of each slice. Slow and idle connections go to ${proxy?.name ?? 'nginx'} with the shipped configuration, and so do the visitors then, quiet or attacked; a slow one sends a byte of its body, or a header, every three seconds, and each is opened again when it is closed. Foreign builds: an owner submits a signature without \`userOpHash\` from another address than the one that built, and ${externalBuilds} builds of 16 others exist for the wallet. Services, database, node, victims and attacker share the two processors.`,
      versions: versionsOf('viem'),
      comparisons,
    }
  },
}

/** What the programs computed, in milliseconds a second, and when the slowest builds were due. */
function describeSlices({ builds, processor, seconds }: MeasuredVictims['quiet']): string {
  const shares = Object.entries(processor)
    .filter(([, used]) => used / seconds >= 1)
    .map(([program, used]) => `${program} ${(used / seconds).toFixed(0)}`)
  const slowest = builds
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, 10)
    .map(({ at, ms }) => `${ms.toFixed(0)} at ${at.toFixed(0)}`)
  return `processor, ms/s: ${shares.join(', ')}; slowest, ms: ${slowest.join(', ')}`
}

const timesOf = ({ builds }: MeasuredVictims['quiet']) => builds.map(({ ms }) => ms)

function compare(name: string, { quiet, attacked, elsewhere }: MeasuredVictims): Comparison[] {
  const served = attacked.statuses['200'] ?? 0
  const times = (percent: number, slices = attacked, where = '') => ({
    what: `Victims' builds, p${percent}, under ${name}${where}`,
    unit: 'ms' as const,
    ours: percentile(timesOf(slices), percent),
    peer: percentile(timesOf(quiet), percent),
    peerName: 'quiet',
  })
  const besides = ' that hit another deployment'
  return [
    {
      what: `Victims served, under ${name}`,
      unit: '%',
      ours: (100 * served) / attacked.builds.length,
      goal: { of: 'ours', bound: 'at least', value: 100 },
      whenMissed: `the answers are ${JSON.stringify(attacked.statuses)}`,
    },
    times(50),
    {
      ...times(99),
      goal: { of: 'ratio', bound: 'at most', value: 2 },
      whenMissed:
        'four of 450 builds decide it, and a new attacker may use 0.1 s of a processor at once, which these builds may meet',
    },
    ...(elsewhere ? [times(50, elsewhere, besides), times(99, elsewhere, besides)] : []),
  ]
}

/** Submissions after a change of address, for wallets with and without builds of others, in alternation. */
async function measureExternalBuilds({
  builtFor,
  sign,
  submitFrom,
  copyBuild,
  from,
}: Fixture): Promise<Comparison> {
  const times: Record<'quiet' | 'attacked', number[]> = { quiet: [], attacked: [] }
  for (const [index, owner] of builtFor.slice(0, 2 * builtForCount).entries()) {
    const kind = index % 2 === 0 ? 'quiet' : 'attacked'
    const signature = await sign(owner, from(`192.0.2.${2 * index}`))
    if (kind === 'attacked') await copyBuild(owner, externalBuilds)
    const { ms } = await timed(() => submitFrom(owner, signature, from(`203.0.113.${2 * index}`)))
    times[kind].push(ms)
  }
  return {
    what: `Submit after a change of address, ${externalBuilds} foreign builds`,
    unit: 'ms',
    ours: median(times.attacked),
    peer: median(times.quiet),
    peerName: 'no foreign build',
    goal: { of: 'ratio', bound: 'at most', value: 2 },
  }
}
