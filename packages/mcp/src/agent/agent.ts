import type { LanyardClient, SessionKeySigner } from '@lanyard/client'
import type { PaymentRecords } from './payment-records.ts'
import type { AgentSettings } from './settings.ts'

/** One agent: an account that it may pay from, the session key that it holds, and what it has paid. */
export interface Agent {
  readonly lanyard: LanyardClient
  readonly settings: AgentSettings
  readonly signer: SessionKeySigner
  readonly records: PaymentRecords
}
