/** @module-tag all */
/** @module-tag longer */

import { altoProgram, startAlto } from '@lanyard/bundler/testing'
import { testEngines } from '@lanyard/database/testing'
import { isLong, numericSeed, reportFigure } from '@lanyard/testing'
import { entryPoint07Address } from 'viem/account-abstraction'
import { afterAll, expect, test } from 'vitest'
import { type CrashPoint, readCrashPoints, spread } from '../kill/crash-points.ts'
import { type JourneyKind, journeyKinds, newJourney } from '../kill/journeys.ts'
import { type KillFixture, startKillFixture } from '../kill/kill-fixture.ts'
import { runUntilKilled, startJourney } from '../kill/run-journey.ts'
import { startServiceProcess } from '../service-process.ts'

/**
 * The process dies by SIGKILL before and after every statement that writes and every request to a node, between the making
 * of an account and the finality of its first operation. The service itself counts them, where it does not die.
 *
 * `pnpm test` takes some, by `TEST_SEED`; `pnpm test:long` takes all. LANYARD_KILLS is the seed of the choice, or the
 * points themselves: `write:7:after,call:3:before`.
 */
const everywhere = isLong
const chosen = process.env.LANYARD_KILLS ?? (everywhere ? 'all' : String(numericSeed % 1_000))
const isShort = /^\d+$/.test(chosen)
const engines = testEngines()
const kinds: readonly JourneyKind[] = everywhere ? journeyKinds : ['EOA']
const killsOfShortRun = 2

function choose(points: readonly CrashPoint[], turn: number): readonly CrashPoint[] {
  if (isShort) return spread(points, killsOfShortRun / engines.length, Number(chosen) + turn)
  return chosen === 'all' ? points : points.filter(({ name }) => chosen.split(',').includes(name))
}

let survived = 0
afterAll(() => reportFigure(1, 'kills survived: before and after writes and calls', survived))

// They wait more than they compute.
test.concurrent.each(kinds.flatMap((kind) => engines.map((engine) => ({ kind, engine }))))(
  'behavior: killed before and after writes and calls: $kind, on $engine',
  { timeout: isShort ? 180_000 : 3_600_000 },
  async ({ kind, engine }) => {
    await using fixture = await startKillFixture()
    await using storage = await fixture.environment(engine)
    const points = await countPoints(kind, fixture, storage.env)
    const kills = choose(points, engines.indexOf(engine))
    process.stdout.write(
      `${kills.length} of ${points.length} crash points, ${kind}, on ${engine}: LANYARD_KILLS=${chosen}\n`,
    )
    const failures: string[] = []
    for (const point of kills) {
      try {
        await surviveAt(point.name, kind, fixture, storage.env)
        survived++
      } catch (error) {
        failures.push(`${point.name} (${point.what}): ${error}`)
      }
    }
    expect(failures).toEqual([])
  },
)

test.skipIf(altoProgram === undefined)(
  'behavior: killed while a bundler outside has the operation and the row does not say so',
  async () => {
    await using fixture = await startKillFixture((network) => startAlto(network, entryPoint07Address))
    await using storage = await fixture.environment('pglite')
    await surviveAt('submit:delivered', 'EOA', fixture, storage.env)
    survived++
  },
)

/** Runs the journey once without a death. */
async function countPoints(
  kind: JourneyKind,
  fixture: KillFixture,
  env: Record<string, string>,
): Promise<readonly CrashPoint[]> {
  await using service = await startServiceProcess({ ...env, CRASH_AT: 'count' })
  await startJourney(newJourney(kind, fixture)).run(service.url)
  // The pass that made it final ends before.
  await service.stop()
  return readCrashPoints(service.output())
}

async function surviveAt(
  name: string,
  kind: JourneyKind,
  fixture: KillFixture,
  env: Record<string, string>,
): Promise<void> {
  await using dying = await startServiceProcess({ ...env, CRASH_AT: name })
  const runs = await runUntilKilled(dying, () => newJourney(kind, fixture))
  const last = runs.at(-1)

  await using restarted = await startServiceProcess(env)
  await last?.watch(restarted.url)
  await last?.run(restarted.url)
  for (const { account, userOpHash } of runs) {
    expect(account && (await fixture.includedHashesOf(account))).toEqual([userOpHash])
  }
}
