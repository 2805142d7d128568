import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely, RawBuilder, Transaction } from 'kysely'
import type { Hex } from 'viem'
import type { InFlightLimit } from './in-flight-limit.ts'
import type { SenderEvent } from './sender-event.ts'
import type { SenderSettings } from './settings.ts'
import type { SenderStep } from './steps.ts'

/** Writes the outcome of transactions' contents, in the database transaction that writes their rows. */
export type ContentsWrite = (trx: Transaction<Database>) => Promise<void>

/** What a sender must know about the contents of its transactions, which are stored in separate tables. */
export interface CarriedContents {
  /**
   * For a row `tx` of relayer_transactions: whether it has contents of this sender. Other senders use the
   * same table.
   */
  readonly hasContents: RawBuilder<boolean>
  /**
   * For a row `tx`: whether some of its contents are unfinished. If so, a mined transaction is checked again,
   * since a reorg may have removed it.
   */
  readonly hasOpenContents: RawBuilder<boolean>
  /**
   * Called for transactions that were mined and reverted, so that their contents are not sent again forever.
   * Makes its requests before it resolves; the returned function runs when the rows are written.
   */
  readonly reverted: (txnHashes: readonly Hex[]) => Promise<ContentsWrite>
}

/** The context of every step of sending. */
export interface SenderContext extends CarriedContents {
  readonly network: Network
  readonly database: Kysely<Database>
  /** Names this process in relayer_leases. */
  readonly holder: string
  readonly now: () => Date
  /** Called between the steps. Tests stop the process there. */
  readonly checkpoint: (step: SenderStep) => void | Promise<void>
  readonly settings: SenderSettings
  /** wei that the account may pay for itself within an hour. */
  readonly lossPerHour: bigint
  /** How many transactions of an account the node holds. */
  readonly inFlightLimit: InFlightLimit
  /** Called for each send, refusal and replacement. */
  readonly observe: (event: SenderEvent) => void
  /**
   * When this process first saw each transaction wait, by sender and hash. It only measures patience, so it is not
   * persisted. With the row's own age, a service that was down for long would replace what it has just
   * resent.
   */
  readonly seenWaiting: Map<string, Map<string, Date>>
}
