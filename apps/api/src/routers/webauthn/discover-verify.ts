import { endpoints } from '@lanyard/contracts'
import { toAuthenticationResponse } from '../../domain/accounts/passkeys/authentication-response.ts'
import { anyone, consumeChallenge, findChallenge } from '../../domain/accounts/passkeys/challenges.ts'
import { readChallenge } from '../../domain/accounts/passkeys/client-data.ts'
import { discoverCredential, recordUse } from '../../domain/accounts/passkeys/credentials.ts'
import { verificationFailed } from '../../domain/accounts/passkeys/verification-failed.ts'
import { verifyAssertion } from '../../domain/accounts/passkeys/verify-assertion.ts'
import { requireCurrentPasskey } from '../../domain/owners/recovery/require-current-passkey.ts'
import { implement } from '../../pipeline/implement.ts'

export const discoverVerify = implement(
  endpoints.webauthn.discoverVerify,
  async (body, { services, project }) => {
    const { database, tokens } = services
    const { relyingParty } = project
    const now = services.now()
    const response = toAuthenticationResponse(body)
    // §7.2 step 6: no user was named, so the authenticator has to say whose credential it is.
    if (response.response.userHandle === undefined) throw verificationFailed('its userHandle is missing.')
    const { username, ...credential } = await discoverCredential(database, response.id)
    const use = {
      challenge: readChallenge(response.response.clientDataJSON),
      ceremony: 'discover',
      subject: anyone,
      now,
    } as const
    const { challenge: expectedChallenge } = await findChallenge(database, use)
    const assertion = await verifyAssertion({ relyingParty, credential, expectedChallenge, response })
    await requireCurrentPasskey(services, credential)
    await database.transaction().execute(async (transaction) => {
      await consumeChallenge(transaction, use)
      await recordUse(transaction, credential.id, assertion, now)
    })
    return { message: `Signed in as ${username}.`, username, token: await tokens.issue(credential.user_id) }
  },
)
