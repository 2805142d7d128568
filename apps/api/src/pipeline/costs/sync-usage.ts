import { clearInterval, setInterval } from 'node:timers'
import type { OpenDatabase } from '@lanyard/database'
import type { Logger } from 'pino'
import type { Allowances } from './allowances.ts'

/** Milliseconds between two exchanges. Replicas may together exceed an allowance for this long. */
const interval = 500

/** Every so many exchanges, old levels are deleted. */
const purgeEvery = 120

/** Adds what was used here, and reads what is used everywhere. */
const exchange = `
  insert into cost_levels as known (name, level, updated_at)
  select name, used, now() from unnest($1::text[], $2::float8[], $3::float8[]) as added (name, used, refill)
  on conflict (name) do update set updated_at = now(), level = excluded.level + greatest(0, known.level
    - extract(epoch from now() - known.updated_at) * 1000
    * (select refill from unnest($1::text[], $3::float8[]) as given (name, refill) where given.name = known.name))
  returning name, level`

/** No allowance takes longer than a day to be full again. */
const purge = `delete from cost_levels where updated_at < now() - interval '1 day'`

/**
 * Exchanges levels of use with the other processes through the database, until the service closes. It does
 * nothing while nobody uses much. If the database does not answer, each process counts alone.
 */
export function syncUsage(
  allowances: Allowances,
  { pool, log, closing }: { pool: NonNullable<OpenDatabase['pool']>; log: Logger; closing: AbortSignal },
): void {
  let isRunning = false
  let isFailing = false
  let count = 0
  const share = async () => {
    const uses = isRunning ? [] : allowances.pendingSync().toSorted((a, b) => (a.name < b.name ? -1 : 1))
    if (uses.length === 0) return
    isRunning = true
    try {
      const names = uses.map(({ name }) => name)
      const used = uses.map((use) => use.used)
      const refills = uses.map(({ allowance }) => allowance.refill)
      const { rows } = await pool.query<{ name: string; level: number }>(exchange, [names, used, refills])
      for (const { name, level } of rows) allowances.learn(name, level)
      if (count++ % purgeEvery === 0) await pool.query(purge)
      isFailing = false
    } catch (error) {
      allowances.keep(uses)
      if (!isFailing) log.warn({ err: error }, 'the database cannot share what callers cost')
      isFailing = true
    } finally {
      isRunning = false
    }
  }
  const timer = setInterval(share, interval).unref()
  closing.addEventListener('abort', () => clearInterval(timer), { once: true })
}
