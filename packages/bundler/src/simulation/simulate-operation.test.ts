// @promise 4

import type { SignedUserOperation } from '@lanyard/accounts'
import { usualEngine } from '@lanyard/database/testing'
import { absurdGas, ignoredOverrides, type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Fixture, nothing, startFixture } from '../../test/fixture.ts'

const gasCap = 2n ** 24n

/** Positions of the gas figures in `OperationSimulator.Result`, in words of its encoding. */
const figures = [
  ['the creation of the account', 6, gasCap],
  ['gas used by verification', 7, 2n * gasCap],
  ['the verification limit', 8, gasCap],
  ["gas used by the paymaster's verification", 10, 2n * gasCap],
  ["the limit for the paymaster's verification", 11, gasCap],
  ['gas used by execution', 13, 2n * gasCap],
  ['the execution limit', 14, gasCap],
  ['gas used by postOp', 18, 2n * gasCap],
  ['the postOp limit', 19, gasCap],
] as const

describe('simulateOperation with an RPC that returns false answers', () => {
  let fixture: Fixture
  let proxy: RpcProxy
  let operation: SignedUserOperation
  beforeAll(async () => {
    fixture = await startFixture(usualEngine(), {}, async (rpcUrl) => {
      proxy = await startRpcProxy(rpcUrl)
      return { rpcUrls: [proxy.url], name: 'Liar' }
    })
    operation = await fixture.draft(await fixture.account(), [nothing], { deployed: false })
    await estimate() // requests EntryPoint's code, which is cached
  })
  afterEach(() => proxy.set())
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
  })

  const estimate = () => fixture.bundler().estimate({ operation })

  test.each(figures)('error: NETWORK_FAILED if %s is absurd', async (_name, word, limit) => {
    for (const gas of [limit + 1n, 2n ** 256n - 1n]) {
      proxy.set(absurdGas(gas, [word]))
      const failure = { code: 'NETWORK_FAILED', message: expect.stringContaining('Liar') }
      await expect(estimate()).rejects.toMatchObject(failure)
    }
  })

  test('behavior: the estimate depends on the gas that the simulator was given', async () => {
    const { callGasLimit } = await estimate()
    proxy.set(absurdGas(gasCap / 2n, [14]))
    expect((await estimate()).callGasLimit).toBeGreaterThan(callGasLimit)
  })

  test.each([undefined, 'code', 'balance', 'stateDiff'] as const)(
    'error: a node that ignores overrides (%s) is named as the reason, not the operation',
    async (member) => {
      proxy.set(ignoredOverrides(member))
      await expect(estimate()).rejects.toMatchObject({
        code: 'NETWORK_FAILED',
        message: expect.stringContaining('state overrides'),
        details: { reason: 'NO_STATE_OVERRIDE' },
      })
    },
  )

  test.each([
    ['too many arguments', -32602, 'too many arguments, want at most 3'],
    ['in words of its own', -32000, 'block overrides are not supported here'],
    ['in words of nobody', -32099, 'computer says no'],
  ])(
    'behavior: a node without block overrides still says whether gas is steady: %s',
    async (_name, code, message) => {
      const expected = await fixture.bundler().estimate({ operation, mustBeSteady: true })
      const when = ({ params = [] }: { readonly params?: readonly unknown[] }) => params.length > 3
      proxy.set({ methods: ['eth_call'], fault: { kind: 'error', code, message, when } })
      expect(await fixture.bundler().estimate({ operation, mustBeSteady: true })).toEqual(expected)
    },
  )

  test.each([
    ['nothing', '0x'],
    ['too few bytes', '0x1234'],
    ['zero', `0x${'00'.repeat(32)}`],
    ['numbers out of range', `0x${'ff'.repeat(640)}`],
  ])("error: NETWORK_FAILED for an answer that is not the simulator's: %s", async (_name, answer) => {
    const isSimulation = (params: readonly unknown[] = []) => params[2] !== undefined
    const change = (result: unknown, { params }: { readonly params?: readonly unknown[] }) =>
      isSimulation(params) ? answer : result
    proxy.set({ methods: ['eth_call'], fault: { kind: 'lie', change } })
    await expect(estimate()).rejects.toMatchObject({ code: 'NETWORK_FAILED' })
  })
})
