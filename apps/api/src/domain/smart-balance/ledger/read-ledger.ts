import type { Database, SmartBalanceLedgerTable } from '@lanyard/database'
import type { Kysely, Selectable } from 'kysely'
import type { Hex } from 'viem'
import { z } from 'zod'

/** The last recorded state of an account in a final block of a network. */
export interface LedgerEntry {
  readonly network: number
  /** 6 decimals, like all amounts; includes exiting funds. */
  readonly balance: bigint
  readonly exiting: bigint
  /** Unix seconds; 0 without an exit. */
  readonly exitReadyAt: number
  readonly pinnedSigners: readonly Hex[]
  readonly requestedSigners: readonly Hex[]
}

const signerIds = z.array(z.templateLiteral(['0x', z.string()]))

/**
 * Reads the ledger of an account, ascending by network. In a transaction, only the lock on the account's row
 * protects it.
 */
export async function readLedger(connection: Kysely<Database>, account: string): Promise<LedgerEntry[]> {
  const rows = await connection
    .selectFrom('smart_balance_ledger')
    .selectAll()
    .where('account', '=', account)
    .orderBy('network')
    .execute()
  return rows.map(toEntry)
}

const toEntry = (row: Selectable<SmartBalanceLedgerTable>): LedgerEntry => ({
  network: row.network,
  balance: row.balance,
  exiting: row.exiting,
  exitReadyAt: row.exit_ready_at,
  pinnedSigners: signerIds.parse(row.pinned_signers),
  requestedSigners: signerIds.parse(row.asked_signers),
})
