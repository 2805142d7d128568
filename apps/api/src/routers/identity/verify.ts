import { endpoints } from '@lanyard/contracts'
import { recordIdentityUse, requireIdentity } from '../../domain/accounts/identities/identities.ts'
import { issueChallenge } from '../../domain/accounts/passkeys/challenges.ts'
import { listCredentials } from '../../domain/accounts/passkeys/credentials.ts'
import { requestOptions } from '../../domain/accounts/passkeys/options.ts'
import { implement } from '../../pipeline/implement.ts'

export const verify = implement(endpoints.identity.verify, async ({ idToken }, { services, project }) => {
  const { database, tokens } = services
  const now = services.now()
  const login = await project.logins.verify(idToken)
  const identity = await requireIdentity(database, login)
  const userId = identity.user_id
  const credentials = await listCredentials(database, userId)
  const { username } = await database
    .selectFrom('users')
    .select('username')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  // The login is the answer to who asks, so CREDENTIAL_IDS=hidden hides nothing from it.
  const passkeyAuthenticationOptions =
    credentials.length === 0
      ? null
      : await requestOptions(project.relyingParty, {
          challenge: await issueChallenge(database, {
            ...{ ceremony: 'authenticate', subject: userId, userId, now },
          }),
          allow: credentials,
        })
  await recordIdentityUse(database, identity, login, now)
  const { token, expiresAt } = await tokens.issueReader(userId, login.expiresAt)
  return { username, token, expiresAt: expiresAt.toISOString(), passkeyAuthenticationOptions }
})
