import { endpoints, LanyardError } from '@lanyard/contracts'
import { requireUser } from '../../domain/accounts/callers/caller.ts'
import { issueChallenge } from '../../domain/accounts/passkeys/challenges.ts'
import { listCredentials } from '../../domain/accounts/passkeys/credentials.ts'
import { creationOptions } from '../../domain/accounts/passkeys/options.ts'
import { implement } from '../../pipeline/implement.ts'

export const credentialOptions = implement(endpoints.webauthn.credentialOptions, async (_, context) => {
  const { database, now } = context.services
  const { relyingParty } = context.project
  const userId = await requireUser(context)
  const user = await database
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) throw new LanyardError('UNAUTHORIZED')
  const challenge = await issueChallenge(database, {
    ceremony: 'credential',
    subject: userId,
    userId,
    now: now(),
  })
  return creationOptions(relyingParty, { user, challenge, exclude: await listCredentials(database, userId) })
})
