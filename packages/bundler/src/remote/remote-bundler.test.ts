import type { SignedUserOperation } from '@lanyard/accounts'
import { usualEngine } from '@lanyard/database/testing'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeAnswer, type FakeAnswers, startFakeBundler } from '../../test/fake-bundler.ts'
import { type Fixture, type FixtureAccount, nothing, startFixture } from '../../test/fixture.ts'

describe('remote bundler', () => {
  let fixture: Fixture
  let account: FixtureAccount
  let operation: SignedUserOperation
  beforeAll(async () => {
    fixture = await startFixture(usualEngine())
    account = await fixture.account()
    operation = await fixture.build(fixture.bundler(), account, [nothing])
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  const identity = () =>
    ({
      eth_chainId: { result: numberToHex(fixture.node.chainId) },
      eth_supportedEntryPoints: { result: [fixture.bundler().entryPoint.toLowerCase()] },
    }) satisfies Record<string, FakeAnswer>

  const deliverTo = async (answers: FakeAnswers) => {
    await using fake = await startFakeBundler({ ...identity(), ...answers })
    await fixture.remoteBundler(fake.url).deliver(operation)
  }
  const rejecting = (code: number, message: string): Record<string, FakeAnswer> => ({
    eth_sendUserOperation: { error: { code, message } },
  })

  describe('deliver', () => {
    test('default', async () => {
      await using fake = await startFakeBundler({
        ...identity(),
        eth_sendUserOperation: { result: fixture.hashOf(operation) },
      })
      const bundler = fixture.remoteBundler(fake.url)
      await bundler.deliver(operation)
      await bundler.deliver(operation)
      expect(fake.calls.map(({ method }) => method)).toEqual([
        'eth_chainId',
        'eth_supportedEntryPoints',
        'eth_sendUserOperation',
        'eth_sendUserOperation',
      ])
      expect(fake.calls.at(-1)?.params).toEqual([
        expect.objectContaining({ sender: account.address, nonce: '0x0', factory: expect.any(String) }),
        bundler.entryPoint,
      ])
    })

    test('behavior: an operation that the bundler already has is accepted', async () => {
      await deliverTo(rejecting(-32602, 'UserOperation is already known'))
    })

    test('behavior: a nonce error for an operation that the bundler already has is ignored', async () => {
      await deliverTo({
        ...rejecting(-32500, 'AA25 invalid account nonce'),
        eth_getUserOperationByHash: { result: { userOperation: {}, blockNumber: null } },
      })
    })

    test('error: the text of the bundler does not contain the key in its address', async () => {
      const key = 'pim_0123456789abcdef'
      await using fake = await startFakeBundler({
        ...identity(),
        ...rejecting(-32500, `AA23 reverted: /rpc?apikey=${key} (${key}) may not call this`),
      })
      const delivered = fixture.remoteBundler(`${fake.url}/rpc?apikey=${key}`).deliver(operation)
      const error = await delivered.catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({
        code: 'OPERATION_REFUSED',
        details: { reason: 'AA23 reverted: [hidden] ([hidden]) may not call this' },
      })
    })

    test('error: REBUILD if another operation used the nonce', async () => {
      const promise = deliverTo({
        ...rejecting(-32500, 'AA25 invalid account nonce'),
        eth_getUserOperationByHash: { result: null },
      })
      await expect(promise).rejects.toMatchObject({ code: 'REBUILD' })
    })

    test('error: INSUFFICIENT_FUNDS with the required, available and missing amounts', async () => {
      const promise = deliverTo(rejecting(-32500, "AA21 didn't pay prefund"))
      await expect(promise).rejects.toMatchObject({
        code: 'INSUFFICIENT_FUNDS',
        details: { required: expect.stringMatching(/^\d+$/), available: '10000000000000000000' },
      })
    })

    test('error: BUNDLER_FAILED if it serves another chain', async () => {
      const promise = deliverTo({ eth_chainId: { result: '0x1' } })
      await expect(promise).rejects.toMatchObject({
        code: 'BUNDLER_FAILED',
        message: expect.stringContaining('serves chain 1'),
      })
    })

    test('error: BUNDLER_FAILED if it serves another entry point', async () => {
      const promise = deliverTo({ eth_supportedEntryPoints: { result: [] } })
      await expect(promise).rejects.toMatchObject({ code: 'BUNDLER_FAILED' })
    })

    test('error: BUNDLER_FAILED if it accepted another operation', async () => {
      const promise = deliverTo({ eth_sendUserOperation: { result: `0x${'00'.repeat(32)}` } })
      await expect(promise).rejects.toMatchObject({ code: 'BUNDLER_FAILED' })
    })

    test.each<[string, FakeAnswer, string]>([
      ['null', { result: null }, 'BUNDLER_FAILED'],
      ['a number', { result: 7 }, 'BUNDLER_FAILED'],
      ['an object', { result: { hash: '0x' } }, 'BUNDLER_FAILED'],
      ['not JSON', { body: '<html>' }, 'BUNDLER_UNAVAILABLE'],
      ['truncated JSON', { body: '{"jsonrpc":"2.0","id":1,"res' }, 'BUNDLER_UNAVAILABLE'],
      ['status 503', { body: 'busy', status: 503 }, 'BUNDLER_UNAVAILABLE'],
      ['nothing', 'nothing', 'BUNDLER_UNAVAILABLE'],
    ])('error: the bundler answers %s', async (_name, answer, code) => {
      const promise = deliverTo({ eth_sendUserOperation: answer })
      await expect(promise).rejects.toMatchObject({ code })
    })

    const limits: readonly (readonly [string, FakeAnswer])[] = [
      ['HTTP 429', { body: '{}', status: 429 }],
      ['HTTP 429 and Retry-After', { body: '{}', status: 429, headers: { 'retry-after': '0' } }],
      ['code 429', { error: { code: 429, message: 'Your app has exceeded its compute units' } }],
      ['code -32005', { error: { code: -32005, message: 'limit exceeded' } }],
      ['words only', { error: { code: -32603, message: 'Too many requests' } }],
    ]
    test.each(limits)(
      'behavior: %s is waited for, and the operation is delivered',
      async (_name, limited) => {
        let requested = 0
        await deliverTo({
          eth_sendUserOperation: () => (requested++ === 0 ? limited : { result: fixture.hashOf(operation) }),
        })
        expect(requested).toBe(2)
      },
    )

    test('error: a long limit is named with its end, and nothing is sent before', async () => {
      await using fake = await startFakeBundler({
        ...identity(),
        eth_sendUserOperation: { body: '{}', status: 429, headers: { 'retry-after': '3600' } },
      })
      const bundler = fixture.remoteBundler(fake.url)
      const limited = {
        code: 'BUNDLER_UNAVAILABLE',
        message: expect.stringContaining('limits the number of requests'),
        details: { reason: 'PROVIDER_LIMIT', retryAfter: expect.closeTo(3_600, -1) },
      }
      await expect(bundler.deliver(operation)).rejects.toMatchObject(limited)
      const { length } = fake.calls
      await expect(bundler.deliver(operation)).rejects.toMatchObject(limited)
      expect(fake.calls).toHaveLength(length)
    })

    test("behavior: a paymaster's words are no rate limit", async () => {
      const promise = deliverTo(rejecting(-32501, 'paymaster: rate limit exceeded, too many requests'))
      await expect(promise).rejects.toMatchObject({ code: 'PAYMASTER_REFUSED' })
      const coded = deliverTo(rejecting(-32000, 'AA33 too many requests'))
      await expect(coded).rejects.toMatchObject({ code: 'PAYMASTER_REFUSED' })
    })

    test('error: BUNDLER_UNAVAILABLE if nothing listens', async () => {
      const fake = await startFakeBundler({})
      await fake[Symbol.asyncDispose]()
      const promise = fixture.remoteBundler(fake.url).deliver(operation)
      await expect(promise).rejects.toMatchObject({ code: 'BUNDLER_UNAVAILABLE' })
    })
  })

  describe('estimate', () => {
    const gas = { preVerificationGas: '0x1000000', verificationGasLimit: '0x1', callGasLimit: 7 }

    const estimateWith = async (answer: FakeAnswer, request: SignedUserOperation = operation) => {
      await using fake = await startFakeBundler({ ...identity(), eth_estimateUserOperationGas: answer })
      return { estimate: await fixture.remoteBundler(fake.url).estimate({ operation: request }), fake }
    }

    test("default: returns the larger of the bundler's limits and our own", async () => {
      const own = await fixture.bundler().estimate({ operation })
      const { estimate } = await estimateWith({ result: gas })
      expect(estimate).toEqual({ ...own, preVerificationGas: 0x1000000n })
    })

    test('behavior: a bundler that does not support state overrides is called without one', async () => {
      await using fake = await startFakeBundler({
        ...identity(),
        eth_estimateUserOperationGas: (params) =>
          params.length > 2 ? { error: { code: -32602, message: 'too many arguments' } } : { result: gas },
      })
      const estimate = await fixture.remoteBundler(fake.url).estimate({ operation })
      expect(estimate.preVerificationGas).toBe(0x1000000n)
      const given = fake.calls.filter(({ method }) => method === 'eth_estimateUserOperationGas')
      expect(given.map(({ params }) => params[2])).toEqual([
        { [account.address]: { balance: expect.stringMatching(/^0x/) } },
        undefined,
      ])
    })

    test('behavior: estimates reverting calls, which the bundler cannot estimate', async () => {
      const reverting = await fixture.draft(account, [{ ...nothing, value: 10n ** 30n }])
      const { estimate } = await estimateWith(
        { error: { code: -32521, message: 'UserOperation reverted during execution phase' } },
        reverting,
      )
      expect(estimate.execution.success).toBe(false)
    })

    test('error: BUNDLER_FAILED for absurd gas', async () => {
      const promise = estimateWith({ result: { ...gas, callGasLimit: '0xffffffffffffffff' } })
      await expect(promise).rejects.toMatchObject({ code: 'BUNDLER_FAILED' })
    })

    test('error: a rejection of the entry point comes from our own simulation', async () => {
      const promise = estimateWith({ result: gas }, { ...operation, nonce: 5n })
      await expect(promise).rejects.toMatchObject({ code: 'REBUILD', details: { entryPointCode: 'AA25' } })
    })
  })
})
