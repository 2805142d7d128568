import { endpoints, LanyardError } from '@lanyard/contracts'
import { issueChallenge } from '../../domain/accounts/passkeys/challenges.ts'
import { listCredentials } from '../../domain/accounts/passkeys/credentials.ts'
import { requestOptions } from '../../domain/accounts/passkeys/options.ts'
import { requireNamedUser } from '../../domain/accounts/passkeys/require-named-user.ts'
import { shownCredentials } from '../../domain/accounts/passkeys/shown-credentials.ts'
import { implement } from '../../pipeline/implement.ts'

export const authenticateOptions = implement(
  endpoints.webauthn.authenticateOptions,
  async ({ username }, context) => {
    const { database, now } = context.services
    const { relyingParty } = context.project
    const { id: userId } = await requireNamedUser(database, username)
    const credentials = await listCredentials(database, userId)
    if (credentials.length === 0) {
      throw new LanyardError('UNKNOWN_USER', {
        message: 'This user has no passkey. Sign in with the EOA.',
        details: { reason: 'NO_PASSKEY' },
      })
    }
    const challenge = await issueChallenge(database, {
      ceremony: 'authenticate',
      subject: userId,
      userId,
      now: now(),
    })
    const options = await requestOptions(relyingParty, {
      challenge,
      allow: await shownCredentials(context, userId, credentials),
    })
    // Published clients pass the whole answer to `startAuthentication`.
    return { ...options, passkeyAuthenticationOptions: options }
  },
)
