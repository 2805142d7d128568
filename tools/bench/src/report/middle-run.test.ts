import { expect, test } from 'vitest'
import { middleRun } from './middle-run.ts'
import { renderResult } from './render.ts'
import type { Result } from './result.ts'

const runOf = (ours: number, peer: number, alone: number): Result => ({
  title: 'Bench',
  method: 'Measured.',
  versions: {},
  comparisons: [
    {
      what: 'time',
      unit: 'ms',
      ours,
      peer,
      peerName: 'Peer',
      goal: { of: 'ratio', bound: 'at most', value: 1 },
    },
    { what: 'count', unit: 'requests', ours: alone },
  ],
})

const rowsOf = (result: Result) =>
  renderResult('bench', { ...result, date: '2026-01-01', machine: 'A machine' })
    .split('\n')
    .filter((line) => /^\| (time|count)/.test(line))

test('one run is shown as it is', () => {
  expect(rowsOf(middleRun([runOf(10, 20, 3)]))).toEqual([
    '| time | 10 ms | 20 (Peer) | 0.50 | at most 1 | met |',
    '| count | 3 requests |  |  |  |  |',
  ])
})

test('the run in the middle is shown whole, with the range of all runs', () => {
  expect(rowsOf(middleRun([runOf(30, 20, 3), runOf(10, 20, 3), runOf(18, 20, 4)]))).toEqual([
    '| time | 18 ms | 20 (Peer) | 0.90 (0.50–1.50) | at most 1 | met |',
    '| count | 4 requests (3–4) |  |  |  |  |',
  ])
})

test('runs that do not differ have no range', () => {
  expect(rowsOf(middleRun([runOf(10, 20, 3), runOf(10, 20, 3)]))).toEqual(
    rowsOf(middleRun([runOf(10, 20, 3)])),
  )
})
