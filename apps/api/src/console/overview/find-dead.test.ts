import { expect, test } from 'vitest'
import { findDead } from './find-dead.ts'

const now = new Date('2026-11-29T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
/** @param seen - minutes since its last sign of life */
const process = (id: string, roles: string, started: number, seen: number) => ({
  ...{ id, roles, host: id, version: '0.1.0' },
  ...{ started_at: minutesAgo(started), seen_at: minutesAgo(seen) },
})

test('default: a process that says nothing for a minute is dead, and the roles that nothing else has are missing', () => {
  const processes = [
    process('api-1', 'api', 60, 0),
    process('api-2', 'api', 60, 5),
    process('worker', 'worker,topUp', 60, 2),
  ]
  expect(findDead(processes, now)).toEqual([
    { roles: ['api'], host: 'api-2', seenAt: minutesAgo(5).toISOString(), missing: [] },
    {
      roles: ['worker', 'topUp'],
      host: 'worker',
      seenAt: minutesAgo(2).toISOString(),
      missing: ['worker', 'topUp'],
    },
  ])
})

test('behavior: one that started later with the same roles replaces one dead process, not two', () => {
  const dead = [process('a', 'worker', 60, 20), process('b', 'worker', 60, 15)]
  expect(findDead([...dead, process('c', 'worker', 10, 0)], now)).toMatchObject([{ host: 'b' }])
  expect(findDead([...dead, process('c', 'worker', 10, 0), process('d', 'worker', 9, 0)], now)).toEqual([])
})

test('behavior: one that ran beside it does not replace it', () => {
  const processes = [process('a', 'worker', 60, 5), process('b', 'worker', 60, 0)]
  expect(findDead(processes, now)).toMatchObject([{ host: 'a', missing: [] }])
})
