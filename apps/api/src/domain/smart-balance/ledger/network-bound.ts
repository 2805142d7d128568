import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { Logger } from 'pino'
import { BaseError } from 'viem'
import { withReadTimeout } from '../../../platform/timeouts/with-read-timeout.ts'

/** What networks answered, and who did not. */
export interface NetworkAnswers<T> {
  readonly answers: readonly T[]
  /** Why each of the others is missing, by chain id. */
  readonly failures: ReadonlyMap<number, unknown>
}

/** What a network or a contract on it fails with; anything else is a fault of ours. */
const isNetworkError = (error: unknown) => error instanceof LanyardError || error instanceof BaseError

/** Asks all networks at once, and leaves out those that fail or do not answer withReadTimeout. */
export async function askNetworks<T>(
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
        log.warn({ err: error, network: network.chainId }, 'the smart balance does without a network')
        failures.set(network.chainId, error)
        return []
      }
    }),
  )
  return { answers: answers.flat(), failures }
}
