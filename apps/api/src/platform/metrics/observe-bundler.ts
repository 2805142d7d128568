import type { Bundler, GasEstimate } from '@lanyard/bundler'
import { toLanyardError } from '../errors/to-lanyard-error.ts'
import { currentMeter } from '../log/current-request.ts'
import type { Tracing } from '../tracing/span.ts'
import type { Metrics } from './metrics.ts'

interface Observers {
  readonly metrics: Metrics
  readonly tracing: Tracing
}

/** Gas of a simulation that fails before it is measured: the simulator gives no phase more. */
const unmeasuredGas = 2n ** 24n

/** Records the gas of a simulation for the current request. */
async function metered(estimate: () => Promise<GasEstimate>): Promise<GasEstimate> {
  const meter = currentMeter()
  let gas = unmeasuredGas
  try {
    const answer = await estimate()
    gas = answer.callGasLimit + answer.verificationGasLimit + (answer.paymasterVerificationGasLimit ?? 0n)
    return answer
  } finally {
    meter?.addGas(gas)
  }
}

/** The reason of a failure that is no outage: the provider limits the number of requests. */
const providerLimit = 'PROVIDER_LIMIT'

/** Wraps a bundler: counts its failures and records its calls as spans. */
export function observeBundler(bundler: Bundler, network: number, { metrics, tracing }: Observers): Bundler {
  const observed = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    try {
      return await tracing.span(`bundler.${name}`, { attributes: { network } }, call)
    } catch (error) {
      const { code, details } = toLanyardError(error)
      const isLimit = details?.reason === providerLimit
      metrics.countFailure({ network, part: 'bundler', code: isLimit ? providerLimit : code })
      throw error
    }
  }
  const { check } = bundler
  return {
    entryPoint: bundler.entryPoint,
    estimate: (request) => observed('estimate', () => metered(() => bundler.estimate(request))),
    deliver: (...operation) => observed('deliver', () => bundler.deliver(...operation)),
    ...(check && { check: (...operation) => observed('check', () => check(...operation)) }),
    drive: () => observed('drive', () => bundler.drive()),
    ...(bundler.sendOwn && { sendOwn: (call) => observed('sendOwn', async () => bundler.sendOwn?.(call)) }),
  }
}
