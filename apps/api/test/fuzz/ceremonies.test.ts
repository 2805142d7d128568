/** @module-tag all */
/** @module-tag longer */
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
let hold: Awaited<ReturnType<typeof createCeremonies>>
const verdicts = { held: 0, accepted: 0 }
beforeAll(async () => {
  console.info(`FUZZ_SEED=${settings.seed}`)
  fixture = await startFixture()
  const fuzzer = createFuzzer(fixture)
  fuzzer.unexpectedError()
  hold = await createCeremonies(fixture, fuzzer)
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

/** One element of the ceremony is changed; now and then none, or two. */
function ceremonies(ceremony: CeremonyName): fc.Arbitrary<Ceremony> {
  const change = ceremony === 'register' || ceremony === 'credential' ? registrationChange : assertionChange
  const changes = fc.oneof(
    { weight: 8, arbitrary: change.map((one) => [one]) },
    { weight: 1, arbitrary: fc.array(change, { minLength: 2, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant([]) },
  )
  return changes.map((some) => ({ ceremony, changes: some }))
}

const endBuilds = () =>
  fixture.database
    .updateTable('operations')
    .set({ build_expires_at: new Date(0) })
    .where('state', '=', 'built')
    .execute()

test.each(ceremonyNames)(
  '%s: what is accepted, the standard accepts',
  { timeout: settings.timeout },
  async (name) => {
    await forAll(ceremonies(name), {
      runs: 120,
      kind: 'ceremony',
      check: async (ceremony) => {
        // A wallet has at most 64 builds that wait for a signature.
        if (verdicts.held % 50 === 0) await endBuilds()
        const { accepted } = await hold(ceremony)
        verdicts.held++
        if (accepted) verdicts.accepted++
      },
    })
    await endBuilds()
    expect(await hold({ ceremony: name, changes: [] })).toEqual({ accepted: true })
  },
)

test('behavior: nothing was signed that the passkey did not sign', async () => {
  await expectConsistent(fixture)
  reportFigure(8, 'fuzzed ceremonies', verdicts.held)
  reportFigure(8, 'fuzzed ceremonies that were right all the same', verdicts.accepted)
})
