/** @module-tag all */
/** @module-tag longer */
// @promise 1

import { testEngines } from '@lanyard/database/testing'
import { isLong, numericSeed, reportFigure } from '@lanyard/testing'
import { afterAll, expect, test } from 'vitest'
import { type CrashPoint, readCrashPoints, spread } from '../kill/crash-points.ts'
import { type JourneyKind, journeyKinds, newJourney } from '../kill/journeys.ts'
import { type KillFixture, startKillFixture } from '../kill/kill-fixture.ts'
import { runUntilKilled, startJourney } from '../kill/run-journey.ts'
import { startServiceProcess } from '../service-process.ts'
import { startConfigured } from '../start-configured.ts'

/**
 * SIGKILL ends the process before and after every statement that writes and every request to a node, from the
 * creation of an account to the finality of its first operation. A run without a kill counts these points.
 *
 * `pnpm test` samples some points by `TEST_SEED`. `pnpm test:long` kills at all of them. LANYARD_KILLS is the seed
 * of the sample, or a list of points: `write:7:after,call:3:before`.
 */
const killAtEveryPoint = isLong
const chosen = process.env.LANYARD_KILLS ?? (killAtEveryPoint ? 'all' : String(numericSeed % 1_000))
const isShort = /^\d+$/.test(chosen)
/** The short run kills on PostgreSQL where the machine has one. */
const engines = isLong ? testEngines() : testEngines().slice(-1)
const kinds: readonly JourneyKind[] = killAtEveryPoint ? journeyKinds : ['EOA']
const killsOfShortRun = 2

function choose(points: readonly CrashPoint[], turn: number): readonly CrashPoint[] {
  if (isShort) return spread(points, killsOfShortRun / engines.length, Number(chosen) + turn)
  return chosen === 'all' ? points : points.filter(({ name }) => chosen.split(',').includes(name))
}

let survived = 0
afterAll(() => reportFigure(1, 'kills survived: before and after writes and calls', survived))

// The tests run concurrently because they mostly wait.
test.concurrent.each(kinds.flatMap((kind) => engines.map((engine) => ({ kind, engine }))))(
  'behavior: survives kills before and after writes and calls: $kind on $engine',
  { timeout: isShort ? 300_000 : 3_600_000 },
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

/** Runs the journey once without a kill. */
async function countPoints(
  kind: JourneyKind,
  fixture: KillFixture,
  env: Record<string, string>,
): Promise<readonly CrashPoint[]> {
  await using service = await startServiceProcess({ ...env, CRASH_AT: 'count' })
  await startJourney(newJourney(kind, fixture)).run(service.url)
  // The pass that made the operation final completes before the service stops.
  await service.stop()
  return readCrashPoints(service.output())
}

async function surviveAt(
  name: string,
  kind: JourneyKind,
  fixture: KillFixture,
  env: Record<string, string>,
): Promise<void> {
  await using crashing = await startServiceProcess({ ...env, CRASH_AT: name })
  const runs = await runUntilKilled(crashing, () => newJourney(kind, fixture))
  const last = runs.at(-1)

  await using restarted = await startConfigured(env)
  await last?.watch(restarted.url)
  await last?.run(restarted.url)
  for (const { account, userOpHash } of runs) {
    expect(account && (await fixture.includedHashesOf(account))).toEqual([userOpHash])
  }
}
