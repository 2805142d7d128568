/** @module-tag all */
/** @module-tag longer */
// @promise 8
import { reportFigure } from '@lanyard/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ceremony, type CeremonyName, ceremonyNames, createCeremonies } from './ceremonies.ts'
import { assertionChange, registrationChange } from './ceremony-changes.ts'
import { forAll } from './for-all.ts'
import { type Fixture, startFixture } from './fuzz-fixture.ts'
import { createFuzzer } from './fuzzer.ts'
import { expectConsistent } from './invariants.ts'
import { settings } from './settings.ts'

let fixture: Fixture
let runCeremony: Awaited<ReturnType<typeof createCeremonies>>
const verdicts = { performed: 0, accepted: 0 }
beforeAll(async () => {
  console.info(`FUZZ_SEED=${settings.seed}`)
  fixture = await startFixture()
  const fuzzer = createFuzzer(fixture)
  fuzzer.takeLoggedErrors()
  runCeremony = await createCeremonies(fixture, fuzzer)
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

/** Usually one element of the ceremony is changed, sometimes none or several. */
function ceremonies(ceremony: CeremonyName): fc.Arbitrary<Ceremony> {
  const change = ceremony === 'register' || ceremony === 'credential' ? registrationChange : assertionChange
  const changes = fc.oneof(
    { weight: 8, arbitrary: change.map((one) => [one]) },
    { weight: 1, arbitrary: fc.array(change, { minLength: 2, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant([]) },
  )
  return changes.map((some) => ({ ceremony, changes: some }))
}

const expireBuilds = () =>
  fixture.database
    .updateTable('operations')
    .set({ build_expires_at: new Date(0) })
    .where('state', '=', 'built')
    .execute()

test.each(ceremonyNames)(
  '%s: the service accepts only what the standard accepts',
  { timeout: settings.timeout },
  async (name) => {
    await forAll(ceremonies(name), {
      runs: 120,
      kind: 'ceremony',
      check: async (ceremony) => {
        // A wallet has at most 64 unsigned builds.
        if (verdicts.performed % 50 === 0) await expireBuilds()
        const { accepted } = await runCeremony(ceremony)
        verdicts.performed++
        if (accepted) verdicts.accepted++
      },
    })
    await expireBuilds()
    expect(await runCeremony({ ceremony: name, changes: [] })).toEqual({ accepted: true })
  },
)

test('behavior: every signed operation was signed by the passkey', async () => {
  await expectConsistent(fixture)
  reportFigure(8, 'fuzzed ceremonies', verdicts.performed)
  reportFigure(8, 'fuzzed ceremonies that were still valid', verdicts.accepted)
})
