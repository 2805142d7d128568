/** @module-tag all */
/** @module-tag longer */
// @promise 1

import { testEngines, usualEngine } from '@lanyard/database/testing'
import { isLong, reportFigure } from '@lanyard/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Death, deaths, dieAndRetry } from '../kill/die-and-retry.ts'
import { type KillFixture, startKillFixture } from '../kill/kill-fixture.ts'
import { type PasskeyUser, passkeyJourney, registerPasskey } from '../kill/passkey-user.ts'

/**
 * The process dies by SIGKILL at every checkpoint of the code, from the options of a passkey transaction to its
 * inclusion. Repeating the assertion of an authenticator with a counter leads to the same operation, included once.
 */
const some: readonly Death[] = [{ request: 'build', step: 'build:written' }]
/**
 * `npm run test:all` kills before the signature, where a passkey differs from an EOA; `npm run test:long` kills at all steps,
 * on both engines.
 */
const cases = !isLong
  ? some.map((death) => ({ engine: usualEngine(), ...death }) as const)
  : testEngines().flatMap((engine) => deaths.map((death) => ({ engine, ...death })))

let survived = 0
let fixture: KillFixture
beforeAll(async () => {
  fixture = await startKillFixture()
})
afterAll(async () => {
  reportFigure(1, 'kills survived: passkey transactions', survived)
  await fixture?.[Symbol.asyncDispose]()
})

describe('killed between any two steps of a passkey transaction', () => {
  test.each(cases)(
    'behavior: a passkey transaction survives a kill in $request at $step ($engine)',
    async (death) => {
      await using storage = await fixture.environment(death.engine)
      const users: PasskeyUser[] = []
      const user = () => users[0] as PasskeyUser // `prepare` registers the user
      const details = [
        {
          targetContractAddress: '0x00000000000000000000000000000000000000ad',
          value: '1',
          encodedData: '0x',
        },
      ]
      const journey = passkeyJourney(user, () => details)
      const { service, userOpHash } = await dieAndRetry(storage.env, death, journey, async (url) => {
        users.push(await registerPasskey(url, 'alice'))
        await fixture.fund(user().address)
      })
      await using _service = service
      expect(await fixture.countInclusions(user().address, userOpHash)).toBe(1)

      // The passkey still works: another assertion makes another operation.
      const options = await journey.build(service.url)
      const next = await journey.submit(service.url, await journey.sign(options.body))
      expect(next).toMatchObject({ status: 200, body: { success: true } })
      expect(next.body.userOpHash).not.toBe(userOpHash)
      survived++
    },
  )
})
