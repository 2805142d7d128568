import type { Bundler } from '@lanyard/bundler'
import { toLanyardError } from '../errors/to-lanyard-error.ts'
import type { Tracing } from '../tracing/span.ts'
import type { Metrics } from './metrics.ts'

interface Observers {
  readonly metrics: Metrics
  readonly tracing: Tracing
}

/** Wraps a bundler: counts its failures and records its calls as spans. */
export function observeBundler(bundler: Bundler, network: number, { metrics, tracing }: Observers): Bundler {
  const observed = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    try {
      return await tracing.span(`bundler.${name}`, { attributes: { network } }, call)
    } catch (error) {
      metrics.countFailure({ network, part: 'bundler', code: toLanyardError(error).code })
      throw error
    }
  }
  const { check } = bundler
  return {
    entryPoint: bundler.entryPoint,
    estimate: (request) => observed('estimate', () => bundler.estimate(request)),
    deliver: (operation) => observed('deliver', () => bundler.deliver(operation)),
    ...(check && { check: (operation) => observed('check', () => check(operation)) }),
    drive: () => observed('drive', () => bundler.drive()),
    ...(bundler.sendOwn && { sendOwn: (call) => observed('sendOwn', async () => bundler.sendOwn?.(call)) }),
  }
}
