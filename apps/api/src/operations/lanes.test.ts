import { describe, expect, test } from 'vitest'
import { operationRow } from '../../test/rows.ts'
import { chooseLane, laneCount, toNonce } from './lanes.ts'

const on = (lane: number | bigint, changed: Parameters<typeof operationRow>[0] = {}) =>
  operationRow({ nonce_key: BigInt(lane), ...changed })
const lanes = Array.from({ length: laneCount }, (_, lane) => BigInt(lane))
const none: ReadonlySet<bigint> = new Set()
const next = (lane: bigint) => 100n + lane

test('toNonce: 192 bits of key, 64 of sequence', () => {
  expect(toNonce({ key: 0n, sequence: 7n })).toBe(7n)
  expect(toNonce({ key: 3n, sequence: 2n ** 64n - 1n })).toBe(0x3_ffff_ffff_ffff_ffffn)
})

describe('chooseLane', () => {
  test('default: lane 0', () => {
    expect(chooseLane([], none, next)).toEqual({ key: 0n, sequence: 100n, superseded: [] })
  })

  test('behavior: the lowest that nothing holds', () => {
    const signed = on(0, { state: 'submitted' })
    expect(chooseLane([signed, on(1)], none, next)).toEqual({ key: 2n, sequence: 102n, superseded: [] })
    expect(chooseLane([signed], new Set([1n, 2n]), next)).toMatchObject({ key: 3n })
    const others = lanes.filter((lane) => lane !== 15n).map((lane) => on(lane))
    expect(chooseLane(others, none, next)).toMatchObject({ key: 15n })
  })

  test('behavior: when all are held, the oldest unsigned build gives way, at its nonce', () => {
    const rows = lanes.map((lane) =>
      on(lane, { built_at: new Date(1_000 - Number(lane)), nonce_sequence: lane }),
    )
    expect(chooseLane(rows, none, next)).toEqual({ key: 15n, sequence: 15n, superseded: [rows[15]] })
    const submitting = rows.map((row, lane) => (lane === 15 ? { ...row, state: 'submitting' as const } : row))
    expect(chooseLane(submitting, none, next)).toMatchObject({ key: 14n, superseded: [rows[14]] })
    // What is built for an order is the order's.
    expect(chooseLane(rows, new Set([15n, 14n]), next)).toMatchObject({ key: 13n })
  })

  test("behavior: a session's nonce key is no lane", () => {
    const signed = lanes.map((lane) => on(lane, { state: 'submitted' }))
    const session = on(BigInt(laneCount), { built_at: new Date(0) })
    expect(() => chooseLane([...signed, session], none, next)).toThrow(
      expect.objectContaining({ code: 'LANES_EXHAUSTED' }),
    )
    const unsigned = on(3, { built_at: new Date(1) })
    expect(chooseLane([...signed, session, unsigned], none, next)).toMatchObject({ key: 3n })
  })

  test('error: LANES_EXHAUSTED', () => {
    expect(() => chooseLane([], new Set(lanes), next)).toThrow(
      expect.objectContaining({ code: 'LANES_EXHAUSTED' }),
    )
  })
})
