// @promise 24 C.12
import { BaseError, CallExecutionError } from 'viem'
import { expect, test } from 'vitest'
import { QueueFullError, QueueTimeoutError } from './request-queue.ts'
import { toNetworkError } from './rpc-errors.ts'

test.each([new QueueFullError(), new QueueTimeoutError(false)])(
  'attack: what a busy node was not sent is in no log line ($name)',
  (busy) => {
    const address = `0x${'11'.repeat(20)}` as const
    const stateOverride = [{ address, code: `0x${'60'.repeat(10_000)}` }] as const
    const error = new CallExecutionError(busy, { to: address, stateOverride: [...stateOverride] })
    expect(error.message.length).toBeGreaterThan(10_000)
    const { cause } = toNetworkError(error, 'Slow') as Error // a LanyardError
    expect(cause).toBe(busy)
    expect(String(cause instanceof BaseError && cause.stack).length).toBeLessThan(4_000)
  },
)
