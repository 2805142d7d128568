/** @module-tag all */
/** @module-tag longer */

import { altoProgram, startAlto } from '@lanyard/bundler/testing'
import { testEngines } from '@lanyard/database/testing'
import { isLong, numericSeed, reportFigure } from '@lanyard/testing'
import { entryPoint07Address } from 'viem/account-abstraction'
import { afterAll, expect, test } from 'vitest'
import { type CrashPoint, readCrashPoints, spread } from '../kill/crash-points.ts'
import { type KillScene, startKillScene } from '../kill/scene.ts'
import { newStory, type StoryKind, storyKinds } from '../kill/stories.ts'
import { tellUntilDead, toldStory } from '../kill/told-story.ts'
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
const kinds: readonly StoryKind[] = everywhere ? storyKinds : ['EOA']
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
    await using scene = await startKillScene()
    await using storage = await scene.environment(engine)
    const points = await countPoints(kind, scene, storage.env)
    const kills = choose(points, engines.indexOf(engine))
    process.stdout.write(
      `${kills.length} of ${points.length} crash points, ${kind}, on ${engine}: LANYARD_KILLS=${chosen}\n`,
    )
    const failures: string[] = []
    for (const point of kills) {
      try {
        await surviveAt(point.name, kind, scene, storage.env)
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
  { timeout: 180_000 },
  async () => {
    await using scene = await startKillScene((network) => startAlto(network, entryPoint07Address))
    await using storage = await scene.environment('pglite')
    await surviveAt('submit:delivered', 'EOA', scene, storage.env)
    survived++
  },
)

/** Tells the story once without a death. */
async function countPoints(
  kind: StoryKind,
  scene: KillScene,
  env: Record<string, string>,
): Promise<readonly CrashPoint[]> {
  await using service = await startServiceProcess({ ...env, CRASH_AT: 'count' })
  await toldStory(newStory(kind, scene)).tell(service.url)
  // The pass that made it final ends before.
  await service.stop()
  return readCrashPoints(service.output())
}

async function surviveAt(
  name: string,
  kind: StoryKind,
  scene: KillScene,
  env: Record<string, string>,
): Promise<void> {
  await using dying = await startServiceProcess({ ...env, CRASH_AT: name })
  const told = await tellUntilDead(dying, () => newStory(kind, scene))
  const last = told.at(-1)

  await using restarted = await startServiceProcess(env)
  await last?.watch(restarted.url)
  await last?.tell(restarted.url)
  for (const { account, userOpHash } of told) {
    expect(account && (await scene.includedHashesOf(account))).toEqual([userOpHash])
  }
}
