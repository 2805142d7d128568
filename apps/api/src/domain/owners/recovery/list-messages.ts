import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import { listSignedChanges } from '../ownership/signed-change.ts'
import { listRecoveries, type Recovery } from './recovery.ts'
import type { Message } from './recovery-outcome.ts'

/** What owners and guardians of an account signed at this service, as a head contains it. */
export async function listMessages(
  database: Kysely<Database>,
  account: Address,
): Promise<readonly Message[]> {
  const [changes, recoveries] = await Promise.all([
    listSignedChanges(database, account),
    listRecoveries(database, account),
  ])
  return toMessages(changes, recoveries)
}

/** The likeliest of a sequence first: a change of an owner, then a recovery that enough guardians signed. */
export function toMessages(changes: readonly Message[], recoveries: readonly Recovery[]): readonly Message[] {
  const byLikelihood = [...recoveries].sort(
    (a, b) => Number(b.isComplete ?? false) - Number(a.isComplete ?? false),
  )
  return [...changes, ...byLikelihood.map(({ sequence, target }) => ({ sequence, hash: target.result }))]
}
