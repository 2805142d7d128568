import type { SignedUserOperation } from '@lanyard/accounts'
import type { Bundler } from '@lanyard/bundler'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'
import { observeBundler } from './observe-bundler.ts'

const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'

test.each(['deliver', 'check'] as const)('behavior: %s hears who sent the operation', async (method) => {
  const heard: unknown[] = []
  const bundler: Bundler = {
    entryPoint,
    estimate: async () => expect.unreachable(),
    deliver: async (_, sentBy) => void heard.push(['deliver', sentBy]),
    check: async (_, sentBy) => void heard.push(['check', sentBy]),
    drive: async () => {},
  }
  const observers = {
    metrics: createMetrics(pino({ level: 'silent' })),
    tracing: {
      span: async <T>(_name: string, _options: object, run: () => Promise<T>) => run(),
      close: async () => {},
    },
  }
  const operation = {} as SignedUserOperation // nobody reads it
  await observeBundler(bundler, 31337, observers)[method]?.(operation, 'caller')
  expect(heard).toEqual([[method, 'caller']])
})
