import { describe, expect, test } from 'vitest'
import { chooseLane, laneCount, toNonce } from './nonces.ts'

const lanes = Array.from({ length: laneCount }, (_, lane) => BigInt(lane))
const none: ReadonlySet<bigint> = new Set()
const noBuilds: ReadonlyMap<bigint, number> = new Map()
const nextSequence = (lane: bigint) => 100n + lane

test('toNonce: 192 bits of key and 64 bits of sequence', () => {
  expect(toNonce({ key: 0n, sequence: 7n })).toBe(7n)
  expect(toNonce({ key: 3n, sequence: 2n ** 64n - 1n })).toBe(0x3_ffff_ffff_ffff_ffffn)
})

describe('chooseLane', () => {
  test('default: lane 0 is chosen', () => {
    expect(chooseLane({ taken: none, builds: noBuilds, nextSequence })).toEqual({ key: 0n, sequence: 100n })
  })

  test('behavior: the lowest free lane without builds is chosen', () => {
    const builds = new Map([[1n, 1]])
    expect(chooseLane({ taken: new Set([0n]), builds, nextSequence })).toEqual({ key: 2n, sequence: 102n })
    const others = new Set(lanes.slice(0, 15))
    expect(chooseLane({ taken: others, builds: noBuilds, nextSequence })).toMatchObject({ key: 15n })
  })

  test('behavior: if every lane has builds, the lowest lane with the fewest builds is chosen', () => {
    const builds = new Map(lanes.map((lane) => [lane, lane === 9n || lane === 12n ? 2 : 3]))
    expect(chooseLane({ taken: none, builds, nextSequence })).toMatchObject({ key: 9n })
    expect(chooseLane({ taken: new Set([9n]), builds, nextSequence })).toMatchObject({ key: 12n })
  })

  test('behavior: a preferred lane is chosen despite its builds, but never if it is taken', () => {
    const builds = new Map([[5n, 7]])
    expect(chooseLane({ taken: none, builds, nextSequence, preferred: 5n })).toMatchObject({ key: 5n })
    const taken = new Set([5n])
    expect(chooseLane({ taken, builds, nextSequence, preferred: 5n })).toMatchObject({ key: 0n })
  })

  test("behavior: a session's nonce key is not a lane", () => {
    const builds = new Map(lanes.map((lane) => [lane, 1]))
    const taken = new Set(lanes.slice(1))
    expect(chooseLane({ taken, builds, nextSequence, preferred: 99n })).toMatchObject({ key: 0n })
  })

  test('error: LANES_EXHAUSTED if every lane is taken', () => {
    expect(() => chooseLane({ taken: new Set(lanes), builds: noBuilds, nextSequence })).toThrow(
      expect.objectContaining({ code: 'LANES_EXHAUSTED' }),
    )
  })
})
