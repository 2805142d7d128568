/** @module-tag all */
/** @module-tag longer */

import { testEngines } from '@lanyard/database/testing'
import { isLong, reportFigure } from '@lanyard/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Death, deaths, dieAndRetry } from '../kill/die-and-retry.ts'
import { type PasskeyUser, passkeyStory, registerPasskey } from '../kill/passkey-user.ts'
import { type KillScene, startKillScene } from '../kill/scene.ts'

/**
 * The process dies by SIGKILL at every step that the code itself names, between the options of a passkey transaction and
 * its inclusion: the same assertion, of an authenticator that counts, is the same operation, once.
 */
const some: readonly Death[] = [
  { request: 'build', step: 'build:written' },
  { request: 'submit', step: 'sign:checked' },
  { request: 'submit', step: 'submit:signed' },
]
/** `pnpm test` kills on both sides of the signature; `pnpm test:long` at all steps, on both engines. */
const cases = !isLong
  ? some.map((death) => ({ engine: 'pglite', ...death }) as const)
  : testEngines().flatMap((engine) => deaths.map((death) => ({ engine, ...death })))

let survived = 0
let scene: KillScene
beforeAll(async () => {
  scene = await startKillScene()
})
afterAll(async () => {
  reportFigure(1, 'kills survived: passkey transactions', survived)
  await scene?.[Symbol.asyncDispose]()
})

describe('killed between any two steps of a passkey transaction', () => {
  test.each(cases)('behavior: $request, at $step, on $engine', { timeout: 120_000 }, async (death) => {
    await using storage = await scene.environment(death.engine)
    const users: PasskeyUser[] = []
    const user = () => users[0] as PasskeyUser // prepare makes it
    const details = [
      { targetContractAddress: '0x00000000000000000000000000000000000000ad', value: '1', encodedData: '0x' },
    ]
    const story = passkeyStory(user, () => details)
    const { service, userOpHash } = await dieAndRetry(storage.env, death, story, async (url) => {
      users.push(await registerPasskey(url, 'alice'))
      await scene.fund(user().address)
    })
    await using _service = service
    expect(await scene.countInclusions(user().address, userOpHash)).toBe(1)

    // The passkey goes on: a further assertion is a further operation.
    const options = await story.build(service.url)
    const next = await story.submit(service.url, await story.sign(options.body))
    expect(next).toMatchObject({ status: 200, body: { success: true } })
    expect(next.body.userOpHash).not.toBe(userOpHash)
    survived++
  })
})
