import type { Network } from '@lanyard/networks'
import type { Hex } from 'viem'
import { BaseError } from 'viem'
import { classifyRejection, namedTip, type SendOutcome } from './node-rejections.ts'
import type { TransactionFees } from './transaction-fees.ts'

/**
 * Sends signed bytes to the node. Safe to repeat: the same bytes are one transaction. If the node refuses the
 * tip, the network learns a higher one.
 *
 * @param fees - what the bytes offer
 * @throws NETWORK_UNAVAILABLE if there is no response; the bytes may have arrived nevertheless.
 */
export async function sendRawTransaction(
  network: Network,
  raw: Hex,
  fees: TransactionFees,
): Promise<SendOutcome> {
  const answer = await network.call(async (client) => {
    try {
      await client.sendRawTransaction({ serializedTransaction: raw })
      return { outcome: 'accepted' as const, text: '' }
    } catch (error) {
      const rejection = readRejection(error)
      if (rejection === undefined) throw error
      return rejection
    }
  })
  if (answer.outcome === 'tip-too-low') await learnTip(network, answer.text, fees)
  return answer.outcome
}

/** Undefined if this is not a response of a node. */
function readRejection(error: unknown): { outcome: SendOutcome; text: string } | undefined {
  if (!(error instanceof BaseError)) return undefined
  const text = error.details
  const outcome = classifyRejection(`${text} ${error.message}`)
  if (outcome) return { outcome, text }
  const answered = error.walk(
    (inner) => inner instanceof Error && 'code' in inner && typeof inner.code === 'number',
  )
  return answered ? { outcome: 'refused', text } : undefined
}

/**
 * The tip that the node named or suggests. If that does not explain the refusal, twice the refused tip: few
 * refusals lead from the tip of an idle chain to any network's minimum.
 */
async function learnTip(network: Network, text: string, { maxPriorityFeePerGas: refused }: TransactionFees) {
  const named = namedTip(text)
  if (named !== undefined && named > refused) return network.learnLeastTip(named, 'named')
  const suggested = await network.call((client) => client.estimateMaxPriorityFeePerGas()).catch(() => 0n) // not every node has the method
  if (suggested > refused) network.learnLeastTip(suggested, 'named')
  else network.learnLeastTip(refused * 2n + 1n, 'guessed')
}
