import { endpoints } from '@lanyard/contracts'
import { toAuthenticationResponse } from '../../domain/accounts/passkeys/authentication-response.ts'
import { consumeChallenge, findChallenge } from '../../domain/accounts/passkeys/challenges.ts'
import { readChallenge } from '../../domain/accounts/passkeys/client-data.ts'
import { listCredentials, recordUse } from '../../domain/accounts/passkeys/credentials.ts'
import { requireNamedUser } from '../../domain/accounts/passkeys/require-named-user.ts'
import { verificationFailed } from '../../domain/accounts/passkeys/verification-failed.ts'
import { verifyAssertion } from '../../domain/accounts/passkeys/verify-assertion.ts'
import {
  findRecoveredCredential,
  insertRecovered,
} from '../../domain/owners/recovery/recovered-credential.ts'
import { requireCurrentPasskey } from '../../domain/owners/recovery/require-current-passkey.ts'
import { implement } from '../../pipeline/implement.ts'

export const authenticateVerify = implement(
  endpoints.webauthn.authenticateVerify,
  async ({ username, ...body }, { services, project }) => {
    const { database, tokens } = services
    const { relyingParty } = project
    const now = services.now()
    const { id: userId, username: name } = await requireNamedUser(database, username)
    const response = toAuthenticationResponse(body)
    const known = (await listCredentials(database, userId)).find(({ id }) => id === response.id)
    const use = {
      challenge: readChallenge(response.response.clientDataJSON),
      ceremony: 'authenticate',
      subject: userId,
      now,
    } as const
    const { challenge: expectedChallenge } = await findChallenge(database, use)
    const recovered = known
      ? undefined
      : await findRecoveredCredential(services, { relyingParty, userId, expectedChallenge, response, now })
    const credential = known ?? recovered
    if (!credential) throw verificationFailed('the credential does not belong to this user.')
    const assertion = await verifyAssertion({ relyingParty, credential, expectedChallenge, response })
    if (known) await requireCurrentPasskey(services, known)
    await database.transaction().execute(async (transaction) => {
      await consumeChallenge(transaction, use)
      if (recovered) await insertRecovered(transaction, recovered, now)
      await recordUse(transaction, credential.id, assertion, now)
    })
    return { message: `Signed in as ${name}.`, token: await tokens.issue(userId) }
  },
)
