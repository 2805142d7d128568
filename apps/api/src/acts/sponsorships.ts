import { endSuspension } from '@lanyard/database'
import type { ActContext } from './act.ts'

/** Ends a suspension from sponsorship. @returns on how many networks; 0 for a subject that is not suspended */
export async function resumeSponsorship(
  { transaction, record }: ActContext,
  subject: string,
): Promise<number> {
  const networks = await endSuspension(transaction, subject)
  if (networks > 0) await record({ act: 'sponsorship.resume', subject, before: { networks } })
  return networks
}
