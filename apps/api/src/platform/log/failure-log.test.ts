import { LanyardError } from '@lanyard/contracts'
import { beforeEach, expect, test, vi } from 'vitest'
import { createFailureLog } from './failure-log.ts'

let time = 0
const warn = vi.fn()
beforeEach(() => {
  time = 0
  warn.mockReset()
})
const failures = () => createFailureLog({ warn }, () => time)
const minutes = (count: number) => count * 60_000

test('behavior: the same failure again is counted, and said every ten minutes', () => {
  const { warn: fail } = failures()
  for (let second = 0; second <= 600; second++) {
    time = second * 1_000
    const error = new LanyardError('NETWORK_FAILED', { message: `The fee is ${second} wei` })
    fail('a pass', error, { network: 1 }, 'a pass failed')
  }
  expect(warn.mock.calls).toEqual([
    [{ err: expect.objectContaining({ message: 'The fee is 0 wei' }), network: 1 }, 'a pass failed'],
    [{ err: expect.any(LanyardError), network: 1, repeated: 599 }, 'a pass failed'],
  ])
})

test('behavior: another failure, another subject, and one after a success are said at once', () => {
  const log = failures()
  log.warn('a', new Error('one'), {}, 'failed')
  log.warn('a', new Error('two'), {}, 'failed')
  log.warn('b', new Error('two'), {}, 'failed')
  time = minutes(1)
  log.clear('b')
  log.warn('b', new Error('two'), {}, 'failed')
  log.warn('a', new Error('two'), {}, 'failed')
  expect(warn).toHaveBeenCalledTimes(4)
})
