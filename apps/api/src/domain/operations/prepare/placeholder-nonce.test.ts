import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Operations, startOperations } from '../../../../test/operation-fixture.ts'
import { toNonce } from '../nonces.ts'
import { nonceShortfall } from './estimate.ts'

describe('nonceShortfall', () => {
  const fresh = toNonce({ key: 15n, sequence: 0n })

  test('default: the shortfall covers the costliest lane', () => {
    expect(nonceShortfall(fresh, [0n, 0n])).toBe(30n)
    expect(nonceShortfall(fresh, [256n, 0n])).toBe(60n)
    expect(nonceShortfall(fresh, [70_000n])).toBe(90n)
  })

  test('behavior: the shortfall allows for a sequence that increases during the build', () => {
    expect(nonceShortfall(fresh, [255n])).toBe(60n)
  })

  test('behavior: the shortfall is 0 if the placeholder costs as much', () => {
    expect(nonceShortfall(toNonce({ key: 15n, sequence: 3n }), [4n])).toBe(0n)
  })

  test("behavior: a session's own nonce key counts like a lane", () => {
    const key = 2n ** 192n - 1n
    expect(nonceShortfall(toNonce({ key, sequence: 0n }), [0n])).toBe(30n)
    expect(nonceShortfall(toNonce({ key, sequence: 5n }), [5n])).toBe(0n)
  })
})

describe('an operation pays for the bytes of its nonce', () => {
  let at: Operations
  beforeAll(async () => {
    at = await startOperations('pglite')
  })
  afterAll(() => at[Symbol.asyncDispose]())

  test.each([
    ['after 257 operations on lane 0', [[0n, 0x0101n]]],
    ['after 65,793 operations on lane 0', [[0n, 0x01_01_01n]]],
    ['after 1,799 operations on lane 1', [[1n, 0x0707n]]],
  ] as const)('behavior: a build %s is submitted without a change', async (_, lanes) => {
    const { wallet, owner } = await at.createWallet()
    await at.send(wallet, owner)
    for (const [lane, sequence] of lanes) await at.setSequence(wallet.address, lane, sequence)
    const first = await at.build(wallet)
    const second = await at.build(wallet)
    for (const built of [first, second]) {
      const submitted = await at.submit(wallet, owner, await at.sign(owner, built.operationHash))
      expect(submitted).toMatchObject({ success: true })
    }
  })
})
