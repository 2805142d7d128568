import { type ImportRow, type ImportVerdict, importAccounts, withdrawImports } from '@lanyard/database'
import type { ActContext } from './act.ts'

/** Days for which a name is reserved for its EOA. */
export const reservationDays = 90

/** Where a batch of rows stands, for the audit log. */
export interface ImportSource {
  /** The name of the file, without its folder. */
  readonly file: string
  /** The first and the last line of the batch. */
  readonly lines: readonly [number, number]
}

/**
 * Imports some rows of a file.
 *
 * @param dryRun - whether to write nothing, and say what would become of them
 * @returns one verdict for each row
 */
export async function importBatch(
  { transaction, now, record }: ActContext,
  rows: readonly ImportRow[],
  { file, lines, dryRun }: ImportSource & { readonly dryRun: boolean },
): Promise<readonly ImportVerdict[]> {
  const expiresAt = new Date(now.getTime() + reservationDays * 86_400_000)
  const verdicts = await importAccounts(transaction, rows, { now, expiresAt, dryRun })
  const count = (wanted: ImportVerdict) => verdicts.filter((verdict) => verdict === wanted).length
  const [added, updated] = [count('added'), count('updated')]
  if (!dryRun && added + updated > 0)
    await record({ act: 'accounts.import', subject: file, after: { lines, added, updated } })
  return verdicts
}

/** Takes the reservations of some owners back. @returns those that had one, in lower case */
export async function withdrawBatch(
  { transaction, record }: ActContext,
  owners: readonly string[],
  { file, lines }: ImportSource,
): Promise<readonly string[]> {
  const withdrawn = await withdrawImports(transaction, owners)
  if (withdrawn.length > 0) {
    const before = { lines, withdrawn: withdrawn.length }
    await record({ act: 'accounts.withdraw', subject: file, before })
  }
  return withdrawn
}
