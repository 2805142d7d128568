import { randomUUID } from 'node:crypto'
import { endpoints, usernameKey } from '@lanyard/contracts'
import { requireUnreserved } from '../../domain/accounts/identities/identities.ts'
import { issueChallenge } from '../../domain/accounts/passkeys/challenges.ts'
import { creationOptions } from '../../domain/accounts/passkeys/options.ts'
import { requireFreeUsername } from '../../domain/accounts/users/require-free-username.ts'
import { implement } from '../../pipeline/implement.ts'

export const registerOptions = implement(
  endpoints.webauthn.registerOptions,
  async ({ username }, { services: { database, env, now }, project: { relyingParty } }) => {
    await requireFreeUsername(database, username, env.RESERVED_USERNAMES)
    await requireUnreserved(database, username, { now: now() })
    // The id of the future user: the authenticator stores it as the user handle.
    const userId = randomUUID()
    const challenge = await issueChallenge(database, {
      ceremony: 'register',
      subject: usernameKey(username),
      userId,
      now: now(),
    })
    return creationOptions(relyingParty, { user: { id: userId, username }, challenge, exclude: [] })
  },
)
