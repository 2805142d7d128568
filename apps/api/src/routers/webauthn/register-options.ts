import { randomUUID } from 'node:crypto'
import { endpoints, usernameKey } from '@lanyard/contracts'
import { implement } from '../../implement.ts'
import { requireFreeUsername } from '../../users/require-free-username.ts'
import { issueChallenge } from '../../webauthn/challenges.ts'
import { creationOptions } from '../../webauthn/options.ts'

export const registerOptions = implement(
  endpoints.webauthn.registerOptions,
  async ({ username }, { services: { database, relyingParty, now } }) => {
    await requireFreeUsername(database, username)
    // The user's id before there is a user: the authenticator keeps it as the user handle.
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
