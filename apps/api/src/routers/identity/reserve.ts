import { randomUUID } from 'node:crypto'
import { endpoints } from '@lanyard/contracts'
import {
  registrationSubject,
  requireUnlinked,
  reserveName,
} from '../../domain/accounts/identities/identities.ts'
import { issueChallenge } from '../../domain/accounts/passkeys/challenges.ts'
import { creationOptions } from '../../domain/accounts/passkeys/options.ts'
import { requireFreeUsername } from '../../domain/accounts/users/require-free-username.ts'
import { implement } from '../../pipeline/implement.ts'

export const reserve = implement(
  endpoints.identity.reserve,
  async ({ idToken, username }, { services: { database, env, now }, project }) => {
    const login = await project.logins.verify(idToken)
    await requireUnlinked(database, login)
    await requireFreeUsername(database, username, env.RESERVED_USERNAMES)
    const reservedUntil = await database
      .transaction()
      .execute((transaction) => reserveName(transaction, login, { username, now: now() }))
    // The id of the future user: the authenticator stores it as the user handle.
    const userId = randomUUID()
    const challenge = await issueChallenge(database, {
      ...{ ceremony: 'register', subject: registrationSubject(login, username), userId, now: now() },
    })
    return {
      options: await creationOptions(project.relyingParty, {
        ...{ user: { id: userId, username }, challenge, exclude: [] },
      }),
      reservedUntil: reservedUntil.toISOString(),
    }
  },
)
