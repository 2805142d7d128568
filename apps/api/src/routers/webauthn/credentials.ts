import { endpoints } from '@lanyard/contracts'
import { implement } from '../../implement.ts'
import { requireUser } from '../../tokens/require-user.ts'
import { listCredentials } from '../../webauthn/credentials.ts'
import { toCredential } from '../../webauthn/to-credential.ts'

export const credentials = implement(endpoints.webauthn.credentials, async (_, context) => {
  const rows = await listCredentials(context.services.database, await requireUser(context))
  return { credentials: rows.map(toCredential) }
})
