import { endpoints } from '@lanyard/contracts'
import { implement } from '../../implement.ts'
import { toAuthenticationResponse } from '../../webauthn/authentication-response.ts'
import { consumeChallenge, findChallenge } from '../../webauthn/challenges.ts'
import { readChallenge } from '../../webauthn/client-data.ts'
import { findCredential, recordUse } from '../../webauthn/credentials.ts'
import { requireNamedUser } from '../../webauthn/require-named-user.ts'
import { verifyAssertion } from '../../webauthn/verify-assertion.ts'

export const authenticateVerify = implement(
  endpoints.webauthn.authenticateVerify,
  async ({ username, ...body }, { services }) => {
    const { database, relyingParty, tokens } = services
    const now = services.now()
    const { id: userId, username: name } = await requireNamedUser(database, username)
    const response = toAuthenticationResponse(body)
    const credential = await findCredential(database, { id: response.id, userId })
    const use = {
      challenge: readChallenge(response.response.clientDataJSON),
      ceremony: 'authenticate',
      subject: userId,
      now,
    } as const
    const { challenge: expectedChallenge } = await findChallenge(database, use)
    const assertion = await verifyAssertion({ relyingParty, credential, expectedChallenge, response })
    await database.transaction().execute(async (transaction) => {
      await consumeChallenge(transaction, use)
      await recordUse(transaction, credential.id, assertion, now)
    })
    return { message: `Signed in as ${name}.`, token: await tokens.issue(userId) }
  },
)
