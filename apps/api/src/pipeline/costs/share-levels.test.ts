import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { expect, test } from 'vitest'
import { createLog } from '../../platform/log/log.ts'
import { createAllowances } from './allowances.ts'
import { shareLevels } from './share-levels.ts'

const log = createLog({ LOG_LEVEL: 'silent' })
const holder = { name: 'address:203.0.113.7', allowance: { size: 1_000, refill: 0.000_001 } }

test.skipIf(!testEngines().includes('postgresql'))('behavior: replicas share one allowance', async () => {
  await using database = await freshDatabase('postgresql')
  const { pool } = database
  if (!pool) throw new Error('PostgreSQL has a pool')
  const closing = new AbortController()
  const processes = [createAllowances(), createAllowances()] as const
  const use = (index: 0 | 1, used: number) => {
    const taken = processes[index].take([holder], 1)
    if ('settle' in taken) taken.settle(used)
  }
  const levels = () => processes.map((process) => Math.round(1_000 * process.usedPart(holder)))
  for (const process of processes) shareLevels(process, { pool, log, closing: closing.signal })
  use(0, 600)
  await expect
    .poll(async () => (await pool.query('select level from cost_levels')).rows)
    .toEqual([{ level: 600 }])
  use(1, 300)
  await expect.poll(levels).toEqual([600, 900])
  use(0, 60) // who uses much writes, and reads with it
  await expect.poll(levels).toEqual([960, 900])
  closing.abort()
})
