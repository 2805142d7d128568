import { endpoints, LanyardError } from '@lanyard/contracts'
import { implement } from '../../implement.ts'
import { requireUser } from '../../tokens/require-user.ts'
import { issueChallenge } from '../../webauthn/challenges.ts'
import { listCredentials } from '../../webauthn/credentials.ts'
import { creationOptions } from '../../webauthn/options.ts'

export const credentialOptions = implement(endpoints.webauthn.credentialOptions, async (_, context) => {
  const { database, relyingParty, now } = context.services
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
