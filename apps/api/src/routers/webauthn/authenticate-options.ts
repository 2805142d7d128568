import { endpoints, LanyardError } from '@lanyard/contracts'
import { implement } from '../../implement.ts'
import { issueChallenge } from '../../webauthn/challenges.ts'
import { listCredentials } from '../../webauthn/credentials.ts'
import { requestOptions } from '../../webauthn/options.ts'
import { requireNamedUser } from '../../webauthn/require-named-user.ts'

export const authenticateOptions = implement(
  endpoints.webauthn.authenticateOptions,
  async ({ username }, { services: { database, relyingParty, now } }) => {
    const { id: userId } = await requireNamedUser(database, username)
    const allow = await listCredentials(database, userId)
    if (allow.length === 0) {
      throw new LanyardError('UNKNOWN_USER', { message: 'This user has no passkey. Sign in with the EOA.' })
    }
    const challenge = await issueChallenge(database, {
      ceremony: 'authenticate',
      subject: userId,
      userId,
      now: now(),
    })
    const options = await requestOptions(relyingParty, { challenge, allow })
    // Published clients hand the whole answer to `startAuthentication`.
    return { ...options, passkeyAuthenticationOptions: options }
  },
)
