import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { Act, Actor } from '../platform/audit/record-act.ts'

/**
 * What an operator does, wherever it comes from: the command line or the console. Each function here does one thing with its
 * guard and writes its row of the audit log, in one transaction.
 */
export interface ActContext {
  readonly transaction: Transaction<Database>
  readonly now: Date
  /** Writes the row. The door that the act comes through adds who acts, and from where. */
  readonly record: (act: Omit<Act, keyof Actor>) => Promise<void>
  /** What replaces the secret that the act makes: its requester has seen it, and only its hash was stored. Usually absent. */
  readonly made?: MadeSecret | undefined
}

/** A secret that was made before the act that needs it. */
export interface MadeSecret {
  /** Of a key; empty for a link. */
  readonly id: string
  readonly hash: string
}
