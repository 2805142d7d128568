import type { Env } from '../../../platform/environment/env.ts'
import type { SettlementDependencies } from './dependencies.ts'
import { type Exposure, readExposure } from './exposure.ts'

/** Milliseconds between polls. */
const pause = 30_000

const unitsOfToken = 1_000_000n

type Limits = Pick<Env, 'LIQUIDITY_WARNING' | 'EXPOSURE_WARNING'>

/**
 * Warns when liquidity is low, or when a lot is lent and not yet collected. It warns when the condition begins,
 * and again only after the condition has cleared. It may be called at any rate; it checks every 30 seconds.
 */
export function createExposureWatch(
  dependencies: SettlementDependencies & { readonly env: Limits },
): () => Promise<void> {
  const { env, log, now } = dependencies
  const liquidityWarning = BigInt(env.LIQUIDITY_WARNING) * unitsOfToken
  const exposureWarning = BigInt(env.EXPOSURE_WARNING) * unitsOfToken
  const warned = new Set<string>()
  let next = 0

  function warn(kind: string, exposure: Exposure, holds: boolean) {
    const key = `${kind} ${exposure.network}`
    if (!holds) return void warned.delete(key)
    if (warned.has(key)) return
    warned.add(key)
    const figures = Object.entries(exposure).map(([name, value]) => [name, String(value)])
    log.warn(Object.fromEntries(figures), kind)
  }

  return async () => {
    if (now().getTime() < next) return
    next = now().getTime() + pause
    for (const exposure of await readExposure(dependencies)) {
      const { liquidity, lent } = exposure
      if (liquidity !== null) {
        warn('liquidity is low', exposure, env.LIQUIDITY_WARNING > 0 && liquidity < liquidityWarning)
      }
      warn(
        'a lot is lent and not yet collected',
        exposure,
        env.EXPOSURE_WARNING > 0 && lent > exposureWarning,
      )
    }
  }
}
