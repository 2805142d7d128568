import type { SignedUserOperation } from '@lanyard/accounts'
import { randomAddress, randomBytes } from '@lanyard/testing'
import { bytesToHex, parseGwei, size } from 'viem'
import { describe, expect, test } from 'vitest'
import { bytesInBundle } from '../bundle-gas.ts'
import { encodeHandleOps } from '../entry-point/entry-point.ts'
import { type Candidate, type PlanLimits, planBundles } from './plan-bundles.ts'

const gwei = (value: number) => parseGwei(String(value))

/** The base fee is 10 gwei, and most pay 1 gwei more. */
const market = {
  baseFeePerGas: gwei(10),
  maxPriorityFeePerGas: gwei(1),
  maxFeePerGas: gwei(21),
  minTip: gwei(0.1),
}

let signed = 0
const candidate = ({
  cap = 21,
  tip = 1,
  ...more
}: Partial<Candidate> & { cap?: number; tip?: number } = {}): Candidate => ({
  sender: randomAddress().toLowerCase(),
  fees: { maxFeePerGas: gwei(cap), maxPriorityFeePerGas: gwei(tip) },
  gas: 300_000n,
  bytes: 1_000,
  since: signed++,
  ...more,
})

const plan = (candidates: readonly Candidate[], limits: Partial<PlanLimits> = {}) =>
  planBundles(candidates, { market, maxOperations: 32, funds: 10n ** 20n, turn: 0, ...limits })

const bundlesOf = (candidates: readonly Candidate[], limits: Partial<PlanLimits> = {}) =>
  plan(candidates, limits).bundles.map(({ members }) => members)

test('default: those that pay alike share a bundle, the oldest first', () => {
  const all = [candidate(), candidate(), candidate()]
  expect(plan(all.toReversed())).toEqual({
    bundles: [{ members: all, fees: { maxFeePerGas: gwei(21), maxPriorityFeePerGas: gwei(1) } }],
    tooCheap: [],
    tooLarge: [],
    unaffordable: [],
  })
})

describe('fees', () => {
  test('behavior: a cheap operation goes alone and last, and lowers the fees of no other', () => {
    const [cheap, other, honest] = [candidate({ cap: 12 }), candidate({ tip: 0.1 }), candidate()]
    const { bundles } = plan([cheap, other, honest])
    expect(bundles.map(({ members }) => members)).toEqual([[honest], [cheap], [other]])
    expect(bundles[0]?.fees).toEqual({ maxFeePerGas: gwei(21), maxPriorityFeePerGas: gwei(1) })
  })

  test.each([
    { name: 'caps', fees: { cap: 12 } },
    { name: 'tips', fees: { tip: 0.1 } },
  ])(
    'behavior: cheap operations with the same $name share no bundle, and go after special ones',
    ({ fees }) => {
      const cheap = [candidate(fees), candidate(fees)] as const
      const [special, honest] = [candidate({ alone: true }), candidate()]
      expect(bundlesOf([...cheap, special, honest])).toEqual([[honest], [special], [cheap[0]], [cheap[1]]])
      // While they wait in bundles of their own, one that pays does not wait for them.
      expect(bundlesOf([...cheap, honest], { turn: 3 })).toEqual([[honest], [cheap[0]], [cheap[1]]])
    },
  )

  test('behavior: an operation loses at most half of its tip and a third of its cap to others', () => {
    const [dear, middle, half] = [candidate({ tip: 1 }), candidate({ tip: 0.5 }), candidate({ tip: 0.49 })]
    expect(bundlesOf([dear, middle, half])).toEqual([[dear, middle], [half]])
    const [high, low] = [candidate({ cap: 21 }), candidate({ cap: 13.9 })]
    expect(bundlesOf([high, low])).toEqual([[high], [low]])
  })

  test.each([
    { name: 'the base fee after one full block', cap: 11.24, tip: 1 },
    { name: 'the least tip', cap: 21, tip: 0.09 },
  ])('behavior: one below $name is in no bundle', ({ cap, tip }) => {
    const low = candidate({ cap, tip })
    expect(plan([low])).toMatchObject({ bundles: [], tooCheap: [low] })
  })
})

describe('funds', () => {
  const large = candidate({ gas: 9_000_000n })
  const small = [candidate(), candidate(), candidate()]

  test('behavior: one that the relayer cannot pay for does not stop the others', () => {
    const { bundles, unaffordable } = plan([large, ...small], { funds: gwei(12) * 2_000_000n })
    expect(unaffordable).toEqual([large])
    expect(bundles.map(({ members }) => members)).toEqual([small])
  })

  test('behavior: a bundle is as large as the relayer can pay for, and offers what it can pay', () => {
    const funds = gwei(12) * 700_000n
    const { bundles } = plan(small, { funds })
    expect(bundles.map(({ members }) => members.length)).toEqual([2, 1])
    for (const { members, fees } of bundles) {
      const gas = members.reduce((sum, one) => sum + one.gas, 0n)
      expect(gas * fees.maxFeePerGas).toBeLessThanOrEqual(funds)
      expect(fees.maxFeePerGas).toBeGreaterThanOrEqual(gwei(11.35))
    }
  })
})

describe('sharing', () => {
  test('behavior: of a sender only the one that pays most is planned', () => {
    const { sender } = candidate()
    const [low, high] = [candidate({ sender, tip: 1 }), candidate({ sender, tip: 1.2 })]
    expect(bundlesOf([low, high])).toEqual([[high]])
  })

  test('behavior: one that goes alone, and those of another group, share with nobody else', () => {
    const alone = candidate({ alone: true })
    const grouped = [candidate({ group: 'a' }), candidate({ group: 'a' })]
    const other = candidate({ group: 'b' })
    const usual = [candidate(), candidate()]
    expect(bundlesOf([alone, ...grouped, other, ...usual])).toEqual([usual, [alone], grouped, [other]])
  })

  test('behavior: those of a refused bundle share smaller ones, until the culprit is alone', () => {
    const rejected = Array.from({ length: 4 }, () => candidate({ maxShared: 2 }))
    expect(bundlesOf([candidate(), ...rejected]).map(({ length }) => length)).toEqual([2, 2, 1])
  })

  test('behavior: every fourth turn is for those that may revert', () => {
    const usual = Array.from({ length: 6 }, () => candidate())
    const special = [candidate({ group: 'a' }), candidate({ alone: true })]
    const isSpecial = (members: readonly Candidate[]) => members.some((one) => special.includes(one))
    const order = bundlesOf([...usual, ...special], { maxOperations: 1 }).map(isSpecial)
    expect(order).toEqual([false, false, false, true, false, false, false, true])
    expect(bundlesOf([...usual, ...special], { maxOperations: 1, turn: 3 }).map(isSpecial)[0]).toBe(true)
  })

  test('behavior: what is blocked is in no bundle', () => {
    expect(bundlesOf([candidate({ blocked: 'owes gas' })])).toEqual([])
  })

  test('behavior: a transaction has at most 2^24 gas and 128 KiB', () => {
    const heavy = Array.from({ length: 3 }, () => candidate({ gas: 7_000_000n }))
    expect(bundlesOf(heavy).map(({ length }) => length)).toEqual([2, 1])
    const long = Array.from({ length: 3 }, () => candidate({ bytes: 60_000 }))
    expect(bundlesOf(long).map(({ length }) => length)).toEqual([2, 1])
    const huge = candidate({ gas: 17_000_000n })
    expect(plan([huge])).toMatchObject({ bundles: [], tooLarge: [huge] })
  })
})

test('bytesInBundle: is what an operation adds to the call data', () => {
  const operation: SignedUserOperation = {
    sender: randomAddress(),
    nonce: 1n,
    initCode: bytesToHex(randomBytes(61)),
    callData: bytesToHex(randomBytes(132)),
    callGasLimit: 1n,
    verificationGasLimit: 1n,
    preVerificationGas: 1n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n,
    paymasterAndData: '0x',
    signature: bytesToHex(randomBytes(77)),
  }
  const sizes = [1, 2].map((count) => size(encodeHandleOps(Array(count).fill(operation), randomAddress())))
  expect(bytesInBundle(operation)).toBe((sizes[1] ?? 0) - (sizes[0] ?? 0))
})
