import type { Network } from '@lanyard/networks'
import { BaseError, type Hex } from 'viem'
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

/** What a node's answer to `eth_sendRawTransaction` means for the sender. */
export type SendOutcome =
  /** The node has the transaction, from now or from before. */
  | 'accepted'
  /** The nonce is used on chain, by these very bytes or by others. */
  | 'nonce-used'
  /** The pool has another transaction with this nonce, and these bytes do not pay enough to replace it. */
  | 'replacement-underpriced'
  /** The node holds no transaction with a later nonce than the account's next one. */
  | 'nonce-too-high'
  /** The cap is below the base fee. */
  | 'cap-too-low'
  /** The tip is lower than the node accepts, always or while its pool is full. */
  | 'tip-too-low'
  /** The sender cannot pay gas limit × cap. */
  | 'insufficient-funds'
  /** The node takes nothing from anybody, or not from this sender, at the moment. */
  | 'busy'
  /** Any other rejection: it may be about the contents of the transaction. */
  | 'refused'

/** The outcomes after which the bytes may be in the node's pool, or on chain. */
const pending: ReadonlySet<SendOutcome> = new Set(['accepted', 'nonce-used', 'replacement-underpriced'])

/** Whether the node has rejected the bytes, so that they wait in no pool. */
export const isUnwanted = (outcome: SendOutcome): boolean => !pending.has(outcome)

/**
 * Whether the answer to a transaction that was sent before says nothing about where it is: a node that takes nothing at
 * the moment may still hold it.
 */
export const isUnclear = (outcome: SendOutcome): boolean => outcome === 'busy' || outcome === 'refused'

interface NodeRejection {
  readonly outcome: SendOutcome
  readonly wording: RegExp
  /** Who says so, and in which words: the tests read these. */
  readonly examples: readonly string[]
}

/**
 * The words of nodes, each in one place. JSON-RPC has no codes for them: geth answers -32000 to all. The first
 * that matches counts, so the more specific ones come first.
 */
export const nodeRejections: readonly NodeRejection[] = [
  {
    outcome: 'accepted',
    wording:
      /already[ _]?known|known transaction|already imported|already in (the )?(mem)?pool|alreadyexists/i,
    examples: ['already known', 'AlreadyKnown', 'transaction already imported', 'already in mempool'],
  },
  {
    outcome: 'replacement-underpriced',
    // geth, reth and anvil; Nethermind; Besu; Erigon.
    wording:
      /replacement[ _]?transaction|replacement.*(underpriced|too low)|replacementnotallowed|could not replace|not enough.*replace/i,
    examples: [
      'replacement transaction underpriced',
      'ReplacementNotAllowed',
      'TRANSACTION_REPLACEMENT_UNDERPRICED: replacement too low',
      'could not replace existing tx',
    ],
  },
  {
    outcome: 'nonce-too-high',
    // Arbitrum's sequencer; Hardhat with automine; Nethermind; Besu; pools with a limit for each account.
    wording:
      /nonce[ _]?(is )?too[ _]?(high|distant)|noncegap|nonce gap|nonce too far|future nonce|exceeds.*(next|expected).*nonce|account (slots?|limit) exceeded|exceeds?[a-z ]* account (slots|limit)/i,
    examples: [
      'nonce too high: address 0x1234, tx: 5 state: 4',
      "Nonce too high. Expected nonce to be 4 but got 5. Note that transactions can't be queued when automining.",
      'NonceGap, Future nonce. Expected nonce 4',
      'NONCE_TOO_FAR_IN_FUTURE_FOR_SENDER: nonce too distant',
    ],
  },
  {
    outcome: 'nonce-used',
    wording:
      /nonce[ _]?too[ _]?low|nonce is too low|oldnonce|nonce has already been used|invalid nonce|lower than the current nonce/i,
    examples: [
      'nonce too low: next nonce 7, tx nonce 6',
      'Nonce too low. Expected nonce to be 7 but got 6.',
      'OldNonce, Current nonce: 7',
      'the tx has nonce 6, lower than the current nonce 7',
    ],
  },
  {
    outcome: 'insufficient-funds',
    wording:
      /insufficient[ _]?(funds|balance)|enough (funds|balance)|upfront[ _]cost|balance (is )?too low|sender balance|insufficientfunds|exceeds (the )?(account )?balance/i,
    examples: [
      'insufficient funds for gas * price + value: balance 1, tx cost 2, overshot 1',
      "Sender doesn't have enough funds to send tx. The max upfront cost is: 2 and the sender's balance is: 1.",
      'InsufficientFunds, Account balance: 1, cumulative cost: 2',
      'UPFRONT_COST_EXCEEDS_BALANCE: transaction up-front cost 2 exceeds transaction sender account balance 1',
    ],
  },
  {
    outcome: 'cap-too-low',
    wording:
      /(max[ _]?fee[ _]?per[ _]?gas|fee ?cap|gas price).*(base ?fee|next block)|below.*base ?fee|base ?fee.*(higher|above|exceeds)/i,
    examples: [
      'max fee per gas less than block base fee: address 0x1234, maxFeePerGas: 1, baseFee: 2',
      'Transaction maxFeePerGas (1) is too low for the next block, which has a baseFeePerGas of 2',
      'GAS_PRICE_BELOW_CURRENT_BASE_FEE: gas price below current base fee',
    ],
  },
  {
    outcome: 'tip-too-low',
    // Last of the prices: "underpriced" alone also means that the pool is full of better ones.
    wording:
      /gas price (is )?(below|less than|lower than|too low)|below.*minimum|minimum needed|tip needed|underpriced|fee ?too ?low|(priority fee|tip).*(too low|below|at least|minimum)|too low to compete/i,
    examples: [
      'transaction gas price below minimum: gas tip cap 0, minimum needed 1',
      'transaction underpriced: tip needed 1, tip permitted 0',
      'transaction underpriced',
      'FeeTooLow, MaxFeePerGas too low',
      'FeeTooLowToCompete',
      'GAS_PRICE_TOO_LOW: gas price too low',
    ],
  },
  {
    outcome: 'busy',
    wording:
      /(tx|transaction)[- _]?(mem)?pool (is full|overflow)|(mem)?pool (is )?full|rate limit|too many (requests|pending)|try again|limit exceeded|queue is full|temporarily|sync(hroni[sz])?ing/i,
    examples: ['txpool is full', 'rate limit exceeded', 'queue is full', 'too many pending transactions'],
  },
]

/** What a node's words mean; undefined if they are not in the table. */
export const classifyRejection = (text: string): SendOutcome | undefined =>
  nodeRejections.find(({ wording }) => wording.test(text))?.outcome

/** geth names the tip that it wants, wei per gas: "minimum needed 25000000000", "tip needed 1, tip permitted 0". */
export function namedTip(text: string): bigint | undefined {
  const figure = /(?:minimum|tip) needed:? (\d{1,30})/i.exec(text)?.[1]
  return figure === undefined ? undefined : BigInt(figure)
}
