import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely, RawBuilder } from 'kysely'
import type { SenderSettings } from './settings.ts'
import type { SenderStep } from './steps.ts'

/** What every step of sending works with. */
export interface SenderContext {
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
  /**
   * Of a row `tx` of relayer_transactions: whether something that it carried is still open. Then a mined one is
   * looked at again, since a reorg may have taken it.
   */
  readonly hasOpenContents: RawBuilder<boolean>
}
