/** @module-tag all */
/** @module-tag longer */
// @promise 9
import { reportFigure } from '@lanyard/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { someCalls } from './call-data.ts'
import { requireMatch } from './call-data-checks.ts'
import { operationOf } from './document.ts'
import { forAll } from './for-all.ts'
import { type Fixture, startFixture } from './fuzz-fixture.ts'
import { createFuzzer, type Fuzzer } from './fuzzer.ts'
import { expectConsistent } from './invariants.ts'
import { grants } from './permissions.ts'
import type { RestRequest } from './request.ts'
import { settings } from './settings.ts'

let fixture: Fixture
let fuzzer: Fuzzer
const verdicts = { tried: 0, built: 0 }
beforeAll(async () => {
  console.info(`FUZZ_SEED=${settings.seed}`)
  fixture = await startFixture()
  fuzzer = createFuzzer(fixture)
  fuzzer.takeLoggedErrors()
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

const wallets = fc.constantFrom('{{wallet}}', '{{wallet}}', '{{emptyWallet}}')
const chains = fc.constantFrom('31337', '31337', '31338')
const optional = { allowRevert: fc.boolean(), paymasterData: fc.constantFrom('0x', 'sponsored') }
const body = (model: Record<string, fc.Arbitrary<unknown>>, more: readonly string[]) => {
  const members: Record<string, fc.Arbitrary<unknown>> = {
    network: chains,
    transactionDetails: someCalls,
    ...model,
  }
  const requiredKeys = ['network', 'transactionDetails', ...more]
  return fc.record(members, { requiredKeys, noNullPrototype: true })
}

/** Bodies of the endpoints that take calls, or permissions for calls. */
const bodies: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'an owner’s build': body({ walletAddress: wallets, ...optional }, ['walletAddress']),
  'a session’s build': body(
    {
      network: fc.constant('31337'),
      walletAddress: fc.constant('{{wallet}}'),
      signMode: fc.constant('SESSION_KEY'),
      sessionKey: fc.constant('{{sessionKey}}'),
      allowRevert: fc.boolean(),
    },
    ['walletAddress', 'signMode', 'sessionKey'],
  ),
  'a passkey’s build': body({ username: fc.constant('{{username}}'), ...optional }, ['username']),
  'gas fees': body({ walletAddress: wallets }, ['walletAddress']),
  'a session’s check': body(
    { walletAddress: fc.constant('{{wallet}}'), sessionKey: fc.constant('{{sessionKey}}') },
    ['walletAddress', 'sessionKey'],
  ),
  'a grant': grants,
}

const operationsOf: Readonly<Record<string, string>> = {
  'an owner’s build': 'smartAccountBuild',
  'a session’s build': 'smartAccountBuild',
  'a passkey’s build': 'webauthnTransactionOptions',
  'gas fees': 'smartAccountGasFees',
  'a session’s check': 'sessionKeyCheck',
  'a grant': 'sessionKeyEnable',
}

describe('the build matches the request', () => {
  test.each(Object.entries(bodies))('%s', { timeout: settings.timeout }, (name, arbitrary) => {
    const operation = operationOf(operationsOf[name] ?? '')
    const requests = arbitrary.map(
      (one): RestRequest => ({ transport: 'REST', operation: operation.id, body: one }),
    )
    return forAll(requests, {
      runs: 60,
      check: async (request) => {
        const { status, text } = await fuzzer.rest(operation, request)
        verdicts.tried++
        if (status !== 200) return
        verdicts.built++
        requireMatch(fixture, request, JSON.parse(text))
      },
    })
  })
})

test('behavior: nothing was signed, and more than a tenth of the requests led to a build', async () => {
  await expectConsistent(fixture)
  expect(verdicts.built).toBeGreaterThan(verdicts.tried / 10)
  reportFigure(9, 'fuzzed call data', verdicts.tried)
  reportFigure(9, 'fuzzed call data that was built and verified', verdicts.built)
})
