/** @module-tag all */

import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readEnv } from '../../../platform/environment/env.ts'
import { createApiKeys } from './api-keys.ts'
import { createApiKey } from './manage-api-keys.ts'

/** Longer than the database has to find a key (5 s). */
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
    const answer = keys.find(key)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blocked)
    expect(await answer).toMatchObject(server)
    expect(lines).toEqual([])
  },
)
