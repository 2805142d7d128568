import { endpoints } from '@lanyard/contracts'
import { requireReader } from '../../domain/accounts/callers/caller.ts'
import { listCredentials, toCredential } from '../../domain/accounts/passkeys/credentials.ts'
import { implement } from '../../pipeline/implement.ts'

export const credentials = implement(endpoints.webauthn.credentials, async (_, context) => {
  const rows = await listCredentials(context.services.database, await requireReader(context))
  return { credentials: rows.map(toCredential) }
})
