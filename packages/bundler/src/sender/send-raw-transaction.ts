import type { Network } from '@lanyard/networks'
import type { Hex } from 'viem'
import { BaseError } from 'viem'

/** The result of sending signed bytes to the node. */
export type SendOutcome =
  /** The node has them, from now or from before. */
  | 'accepted'
  /** The nonce is used on chain, by these very bytes or by others. */
  | 'nonce-used'
  /** The pool has another transaction with this nonce that pays as much. */
  | 'underpriced'
  /** The relayer cannot pay gas limit × fee. */
  | 'insufficient-funds'
  /** Any other rejection. */
  | 'refused'

/** Whether the node rejected the bytes for a reason that resending does not change. */
export const isUnwanted = (outcome: SendOutcome) => outcome === 'insufficient-funds' || outcome === 'refused'

/** The messages of geth, reth, Nethermind, Erigon, Besu and anvil. */
const wordings: readonly (readonly [SendOutcome, RegExp])[] = [
  [
    'accepted',
    /already[ _]?known|known transaction|already imported|already in (the )?(mem)?pool|alreadyexists/i,
  ],
  [
    'nonce-used',
    /nonce[ _]?too[ _]?low|nonce is too low|oldnonce|nonce has already been used|invalid nonce/i,
  ],
  ['underpriced', /underpriced|feetoolow|fee too low|max fee per gas less than|maxfeepergas.*less/i],
  ['insufficient-funds', /insufficient (funds|balance)/i],
]

/**
 * Sends signed bytes to the node. Safe to repeat: the same bytes are one transaction.
 *
 * @throws NETWORK_UNAVAILABLE if there is no response; the bytes may have arrived nevertheless.
 */
export async function sendRawTransaction(network: Network, raw: Hex): Promise<SendOutcome> {
  return await network.call(async (client) => {
    try {
      await client.sendRawTransaction({ serializedTransaction: raw })
      return 'accepted'
    } catch (error) {
      const refusal = readRefusal(error)
      if (refusal === undefined) throw error
      return refusal
    }
  })
}

/** Undefined if this is not a response of a node. */
function readRefusal(error: unknown): SendOutcome | undefined {
  if (!(error instanceof BaseError)) return undefined
  const text = `${error.details ?? ''} ${error.message}`
  const known = wordings.find(([, wording]) => wording.test(text))?.[0]
  if (known) return known
  const answered = error.walk(
    (inner) => inner instanceof Error && 'code' in inner && typeof inner.code === 'number',
  )
  return answered ? 'refused' : undefined
}
