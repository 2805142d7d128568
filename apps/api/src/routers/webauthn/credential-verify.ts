import { endpoints } from '@lanyard/contracts'
import { implement } from '../../implement.ts'
import { requireUser } from '../../tokens/require-user.ts'
import { consumeChallenge, findChallenge } from '../../webauthn/challenges.ts'
import { readChallenge } from '../../webauthn/client-data.ts'
import { findCredential, insertCredential } from '../../webauthn/credentials.ts'
import { toCredential } from '../../webauthn/to-credential.ts'
import { verifyRegistration } from '../../webauthn/verify-registration.ts'

export const credentialVerify = implement(
  endpoints.webauthn.credentialVerify,
  async ({ label = 'Passkey', ...response }, context) => {
    const { database, relyingParty } = context.services
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
