import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely, RawBuilder, Transaction } from 'kysely'
import type { Hex } from 'viem'
import type { SenderEvent } from './sender-event.ts'

/** How an account sends its transactions. Times are in milliseconds. */
export interface SenderSettings {
  /** Maximum number of an account's transactions that wait to be mined. */
  readonly maxInFlight: number
  /**
   * How long an account stays leased to a process that stopped responding, and so how long the next one waits
   * after a crash. A live process renews the lease three times in that period.
   */
  readonly leaseDuration: number
  /** Resend the same bytes after this long, because the node may have forgotten them. */
  readonly resendAfter: number
  /** Offer higher fees with the same nonce after this long. */
  readonly replaceAfter: number
  /**
   * Nobody can replace a transaction of an account that is no longer configured. After this long, another
   * account sends its contents. It is longer than `replaceAfter`, since another process may have the account
   * and replace the transaction.
   */
  readonly abandonAfter: number
}

/** For chains with blocks every 1 to 12 seconds: resend after one or two blocks, replace after three or more. */
export const defaultSenderSettings: SenderSettings = {
  maxInFlight: 4,
  leaseDuration: 5_000,
  resendAfter: 15_000,
  replaceAfter: 45_000,
  abandonAfter: 180_000,
}

/**
 * The steps at which a process may die while an account sends its transactions, in the order of a pass, and
 * what the next process then does.
 */
export const senderSteps = [
  /** The lease expires after `leaseDuration`, or this process takes it again under its name. */
  'lease-taken',
  /** Receipts were read but nothing is written: they are read again. */
  'receipts-read',
  /** Live transactions have their outcome; the contents of lost ones wait again. */
  'settled',
  /** The signed bytes are lost with the process and no node has seen them: the nonce is still free. */
  'signed',
  /** The row has no sent_at: the next pass sends its bytes. Its contents are in no other transaction. */
  'row-written',
  /**
   * As after `row-written`: the next pass resends the same bytes and gets "already known" or finds them
   * mined.
   */
  'sent',
  /** As after `sent`. Sending the same bytes any number of times is one transaction. */
  'resent',
  /** Everything is recorded, also when transactions were sent; the lease is free. */
  'lease-released',
] as const

export type SenderStep = (typeof senderSteps)[number]

/** Writes the outcome of transactions' contents, in the database transaction that writes their rows. */
export type ContentsWrite = (trx: Transaction<Database>) => Promise<void>

/** What a sender must know about the contents of its transactions, which are stored in separate tables. */
export interface BundledContents {
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

/** A call of the sender's own, which contains nothing that pays for it. What is urgent stops a theft. */
export type OwnCallKind = 'usual' | 'urgent'

/** The context of every step of sending. */
export interface SenderContext extends BundledContents {
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

/** Milliseconds. The service may be given another node, or the account's transactions may have been delayed. */
const memory = 600_000

/** How many transactions of one account may wait to be mined. */
export interface InFlightLimit {
  /** What is urgent may also use the places that are reserved for it. */
  current(now: Date, kind?: OwnCallKind): number
  /** The node refused this many as too many: it holds no later nonces. */
  learn(rejected: number, now: Date): void
}

/**
 * @param configured - the limit while no node has refused less
 * @param reserved - further places, for what is urgent. Where a node holds fewer transactions, they are among those; the first
 * one is anybody's
 */
export function createInFlightLimit(configured: number, reserved = 0): InFlightLimit {
  let learned = { limit: configured, until: 0 }
  return {
    current(now, kind = 'usual') {
      const isLearned = now.getTime() < learned.until
      if (kind === 'urgent') return isLearned ? learned.limit : configured + reserved
      return isLearned ? Math.max(1, learned.limit - reserved) : configured
    },
    learn(rejected, now) {
      const limit = Math.max(1, Math.min(rejected - 1, configured + reserved))
      learned = { limit, until: now.getTime() + memory }
    },
  }
}
