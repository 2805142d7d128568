/** @module-tag all */

import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createApiKeys } from '../../domain/accounts/api-keys/api-keys.ts'
import { createApiKey } from '../../domain/accounts/api-keys/manage-api-keys.ts'
import { readEnv } from '../../platform/environment/env.ts'
import { createCounter } from './counter.ts'
import { createCounterStore } from './counter-store.ts'

/** Longer than the database has to find a key (5 s) or to count a call (1 s). */
const blocked = 5_500

test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: an event loop that is blocked does not make the database look as if it were away',
  async () => {
    await using database = await freshDatabase('postgresql')
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    const server = { kind: 'secret', name: 'server', origins: [] } as const
    const { key } = await createApiKey(database.db, server, new Date())
    const keys = createApiKeys({ env: readEnv({}), database: database.db, log, walletKeys: [] })
    const store = database.pool && createCounterStore(database.pool)
    const count = createCounter({ name: 'calls', points: 3, windowSeconds: 60, store, log })
    const answers = Promise.all([keys.find(key), count('a', 1), count.charge('b', 1)])
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blocked)
    expect(await answers).toMatchObject([server, { remaining: 2 }, { remaining: 2 }])
    expect(lines).toEqual([])
  },
)
