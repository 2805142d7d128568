import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely, RawBuilder, Transaction } from 'kysely'
import type { Hex } from 'viem'
import type { SenderSettings } from './settings.ts'
import type { SenderStep } from './steps.ts'

/** Writes the outcome of the contents of transactions, in the transaction that writes their rows. */
export type ContentsWrite = (trx: Transaction<Database>) => Promise<void>

/** What a sender has to know of what its transactions carry, which is in tables of its own. */
export interface CarriedContents {
  /** Of a row `tx` of relayer_transactions: whether it carries any. Those of other senders are in the same table. */
  readonly hasContents: RawBuilder<boolean>
  /**
   * Of a row `tx`: whether something that it carried is still open. Then a mined one is looked at again, since a reorg
   * may have taken it.
   */
  readonly hasOpenContents: RawBuilder<boolean>
  /**
   * These were mined and reverted: what they carried must not be sent again and again forever. Asks whatever it needs before it
   * returns; what it returns is run when the rows are written.
   */
  readonly reverted: (txnHashes: readonly Hex[]) => Promise<ContentsWrite>
}

/** What every step of sending works with. */
export interface SenderContext extends CarriedContents {
  readonly network: Network
  readonly database: Kysely<Database>
  /** Names this process in relayer_leases. */
  readonly holder: string
  readonly now: () => Date
  /** Called between the steps. Tests end the process there. */
  readonly checkpoint: (step: SenderStep) => void | Promise<void>
  readonly settings: SenderSettings
  /**
   * Since when this process has seen a transaction wait, by its hash: a measure of patience only, so it need not
   * survive the process. The row's own age would make a service that was down for long replace what it resends.
   */
  readonly seenWaiting: Map<string, Date>
}
