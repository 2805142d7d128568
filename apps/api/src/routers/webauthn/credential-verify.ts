import { endpoints } from '@lanyard/contracts'
import { requireUser } from '../../domain/accounts/callers/caller.ts'
import { consumeChallenge, findChallenge } from '../../domain/accounts/passkeys/challenges.ts'
import { readChallenge } from '../../domain/accounts/passkeys/client-data.ts'
import { findCredential, insertCredential, toCredential } from '../../domain/accounts/passkeys/credentials.ts'
import { verifyRegistration } from '../../domain/accounts/passkeys/verify-registration.ts'
import { implement } from '../../pipeline/implement.ts'

export const credentialVerify = implement(
  endpoints.webauthn.credentialVerify,
  async ({ label = 'Passkey', ...response }, context) => {
    const { database } = context.services
    const { relyingParty } = context.project
    const userId = await requireUser(context)
    const now = context.services.now()
    const use = {
      challenge: readChallenge(response.response.clientDataJSON),
      ceremony: 'credential',
      subject: userId,
      now,
    } as const
    const { challenge } = await findChallenge(database, use)
    const credential = await verifyRegistration(relyingParty, challenge, response)
    await database.transaction().execute(async (transaction) => {
      await consumeChallenge(transaction, use)
      await insertCredential(transaction, { userId, credential, firstOwner: false, label, now })
    })
    return toCredential(await findCredential(database, { id: credential.id, userId }))
  },
)
