import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { expect, test } from 'vitest'
import { createAdmission } from '../../platform/load/admission.ts'
import { createLog } from '../../platform/log/log.ts'
import { createAllowances } from './allowances.ts'
import { syncUsage } from './sync-usage.ts'

const log = createLog({ LOG_LEVEL: 'silent' })
/** A millisecond refills so little that no test sees it, however busy the machine is. */
const refill = 1e-12
const holder = { name: 'address:203.0.113.7', allowance: { size: 1_000, refill } }

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
  const levels = () =>
    processes.map((process) => Math.round(1_000 * process.usedPart(holder, performance.now())))
  for (const process of processes) syncUsage(process, { pool, log, closing: closing.signal })
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

test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: replicas share the pace of a group',
  async () => {
    await using database = await freshDatabase('postgresql')
    const { pool } = database
    if (!pool) throw new Error('PostgreSQL has a pool')
    const closing = new AbortController()
    const pace = { size: 250, refill }
    const replicas = [0, 1].map(() => {
      const paceUsages = createAllowances({ shareFrom: 0.5, clock: () => 0 })
      syncUsage(paceUsages, { pool, log, closing: closing.signal })
      const admission = createAdmission({ read: () => 0 }, paceUsages, () => 0)
      const enter = (name = 'address:203.0.113.0/24') => {
        const group = { name, pace }
        const entered = admission.enter({
          group,
          deposit: 60,
          unknownCost: 60,
          usedPart: () => 0,
          isUnproven: () => false,
          isLarge: false,
          isGone: () => false,
        })
        entered.catch(() => {}) // refused later, in the next file of this worker
        return entered
      }
      const usedPart = () => paceUsages.usedPart({ name: 'pace:address:203.0.113.0/24', allowance: pace }, 0)
      return { admission, enter, usedPart }
    })
    // The pace counts while another group has a call.
    for (const { enter } of replicas) await enter('address:198.51.100.0/24')
    for (const { enter } of replicas) (await enter()).end(130) // there is room for 60 more
    await expect
      .poll(async () => (await pool.query('select name, level from cost_levels')).rows)
      .toEqual([{ name: 'pace:address:203.0.113.0/24', level: expect.closeTo(260, 3) }])
    // Whoever wrote last has read what the other one used.
    const learned = () => replicas.find(({ usedPart }) => usedPart() > 1)
    await expect.poll(learned).toBeDefined()
    void learned()?.enter()
    expect(learned()?.admission.waiting).toBe(1)
    closing.abort()
  },
)
