/** @module-tag all */

import { encodeInitCode } from '@lanyard/accounts'
import { usualEngine } from '@lanyard/database/testing'
import { multicall3 } from '@lanyard/networks'
import { type RpcProxy, type RpcRequest, type RpcRule, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { type Hex, size, slice } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Fixture, nothing, startFixture } from '../../test/fixture.ts'
import { bundleGasLimit } from '../bundle-gas.ts'
import type { Bundler } from '../index.ts'

const resources = new AsyncDisposableStack()
let fixture: Fixture
let proxy: RpcProxy
let bundler: Bundler
beforeAll(async () => {
  fixture = resources.use(
    await startFixture(usualEngine(), {}, async (rpcUrl) => {
      proxy = resources.use(await startRpcProxy(rpcUrl))
      return { rpcUrls: [proxy.url], accountKinds: ['safe', 'eip7702'] }
    }),
  )
  // The clock stands still, so that what was refused is not due again within the same drive.
  const now = new Date()
  bundler = fixture.bundler({ now: () => now })
})
afterEach(() => proxy.set())
afterAll(() => resources.disposeAsync())

/** Operations are tried in order of what they pay: `rank` 1 is the last. */
async function feesOfRank(rank: number) {
  const { maxFeePerGas, maxPriorityFeePerGas } = await fixture.network.fees()
  return { maxFeePerGas: maxFeePerGas * 2n, maxPriorityFeePerGas: maxPriorityFeePerGas + BigInt(rank) }
}

async function submit(rank: number, calls = [nothing]) {
  const account = await fixture.account()
  const operation = await fixture.build(bundler, account, calls, await feesOfRank(rank))
  return { ...account, operation, hash: await fixture.submit(bundler, operation) }
}

async function submitDelegated(rank: number) {
  const account = await fixture.delegatedAccount()
  await fixture.delegate(account)
  const operation = await fixture.buildDelegated(bundler, account, [nothing], await feesOfRank(rank))
  const hash = await fixture.submit(bundler, operation, `key:${account.address}`)
  return { ...account, operation, hash }
}

/** It can no longer pay, so the whole bundle fails and its operations are tried each alone. */
const impoverish = ({ address }: { readonly address: Hex }) =>
  fixture.chain.setBalance({ address, value: 0n })

interface CallRequest {
  readonly to?: Hex
  readonly data?: Hex
  readonly gas?: Hex
}
const callOf = ({ params: [call] = [] }: RpcRequest) => call as CallRequest // the method's parameter

const handleOps = '765e827f'
const sharesCall = (request: RpcRequest) => {
  const { to, data } = callOf(request)
  return to?.toLowerCase() === multicall3.toLowerCase() && data?.includes(handleOps) === true
}

/** What a chain without Multicall3 answers to a call that many operations share. */
const withoutMulticall3 = (): RpcRule => ({
  methods: ['eth_call'],
  fault: { kind: 'lie', change: (result, request) => (sharesCall(request) ? '0x' : result) },
})

/** A node that gives no call more gas, without a word. */
const cappedGas = (cap: bigint): RpcRule => ({
  methods: ['eth_call'],
  fault: {
    kind: 'ask',
    change: (request) => {
      const { gas = '0x0' } = callOf(request)
      const [call, ...others] = request.params ?? []
      if (BigInt(gas) <= cap) return request
      return { ...request, params: [{ ...(call as CallRequest), gas: `0x${cap.toString(16)}` }, ...others] }
    },
  },
})

async function expectOnlyRefused(poor: { hash: Hex }, others: readonly { hash: Hex }[]) {
  for (const { hash } of others) {
    expect(await fixture.row(hash)).toMatchObject({ attempts: 0, reason_code: null })
    expect(await fixture.events(hash)).toHaveLength(1)
  }
  expect(await fixture.row(poor.hash)).toMatchObject({ attempts: 1, reason_code: 'INSUFFICIENT_FUNDS' })
  await fixture.noticeInclusion()
  await fixture.database.db.updateTable('operations').set({ final: true }).execute()
}

test('attack: an operation whose call deploys the account of another one does not get that one refused', async () => {
  const victim = await fixture.account()
  const creation = encodeInitCode(victim.owner)
  const deploys = { to: slice(creation, 0, 20), value: 0n, data: slice(creation, 20, size(creation)) }
  const attacker = await submit(3, [deploys])
  const operation = await fixture.build(bundler, victim, [nothing], await feesOfRank(2))
  const hash = await fixture.submit(bundler, operation)
  const poor = await submit(1)
  await impoverish(poor)
  await bundler.drive()
  await expectOnlyRefused(poor, [attacker, { hash }])
})

test('behavior: a node that gives a call less gas than it asks for gets no operation refused', async () => {
  const all = [await submit(3), await submit(2), await submit(1)]
  const poor = await submit(4)
  await impoverish(poor)
  proxy.set(
    cappedGas(
      all
        .map(({ operation }) => bundleGasLimit([operation], undefined))
        .reduce((most, gas) => (gas > most ? gas : most)),
    ),
  )
  await bundler.drive()
  await expectOnlyRefused(poor, all)
})

test('behavior: without Multicall3, each operation is tried by a call of its own', async () => {
  const all = [await submit(3), await submit(1)]
  const poor = await submit(2)
  await impoverish(poor)
  proxy.set(withoutMulticall3())
  await bundler.drive()
  await expectOnlyRefused(poor, all)
})

test('behavior: a node that refuses the shared call does not get the operations refused', async () => {
  const all = [await submit(3), await submit(1)]
  const poor = await submit(2)
  await impoverish(poor)
  proxy.set({
    methods: ['eth_call'],
    fault: { kind: 'refuse', code: -32000, message: 'gas limit is above the cap', when: sharesCall },
  })
  await bundler.drive()
  await expectOnlyRefused(poor, all)
})

test('behavior: operations of EntryPoint v0.8, which only EOAs call, are tried each by a call of its own', async () => {
  const poor = await submitDelegated(2) // the oldest goes first
  const all = [await submitDelegated(3), await submitDelegated(1)]
  await impoverish(poor)
  await bundler.drive()
  await expectOnlyRefused(poor, all)
})
