import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { Logger } from 'pino'
import { BaseError } from 'viem'
import { withReadTimeout } from '../../../platform/timeouts.ts'

/** The results of networks, and the failures. */
export interface NetworkAnswers<T> {
  readonly answers: readonly T[]
  /** The error of each missing network, by chain id. */
  readonly failures: ReadonlyMap<number, unknown>
}

/** A failure of a network or of a contract on it; any other error is a defect of the service. */
const isNetworkError = (error: unknown) => error instanceof LanyardError || error instanceof BaseError

/**
 * Queries all networks in parallel, and leaves out those that fail or do not answer within the read time-out.
 */
export async function requestNetworks<T>(
  networks: readonly Network[],
  ask: (network: Network) => Promise<T>,
  log: Logger,
): Promise<NetworkAnswers<T>> {
  const failures = new Map<number, unknown>()
  const answers = await Promise.all(
    networks.map(async (network) => {
      try {
        return [await withReadTimeout(network, ask(network))]
      } catch (error) {
        if (!isNetworkError(error)) throw error
        log.warn(
          { err: error, network: network.chainId },
          'a network failed, and is missing from the smart balance',
        )
        failures.set(network.chainId, error)
        return []
      }
    }),
  )
  return { answers: answers.flat(), failures }
}
