import { identityNonce } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { listNetworkAccounts } from '../../domain/accounts/accounts/deployed-networks.ts'
import {
  linkIdentity,
  registrationSubject,
  releaseName,
  requireUnlinked,
  requireUnreserved,
} from '../../domain/accounts/identities/identities.ts'
import { challengedUser, consumeChallenge, findChallenge } from '../../domain/accounts/passkeys/challenges.ts'
import { readChallenge } from '../../domain/accounts/passkeys/client-data.ts'
import { createPasskeyAccount } from '../../domain/accounts/passkeys/create-passkey-account.ts'
import { verifyRegistration } from '../../domain/accounts/passkeys/verify-registration.ts'
import { requireFreeUsername } from '../../domain/accounts/users/require-free-username.ts'
import { implement } from '../../pipeline/implement.ts'

export const register = implement(
  endpoints.identity.register,
  async ({ idToken, username, ...response }, { services, project }) => {
    const { database, tokens } = services
    const now = services.now()
    const challenge = readChallenge(response.response.clientDataJSON)
    // The person has just signed in at the provider, for exactly this key.
    const quiet = { isQuiet: true }
    const credential = await verifyRegistration(project.relyingParty, challenge, response, quiet)
    // Without this, whoever stole a token could register a passkey of their own for its login.
    const login = await project.logins.verify(
      idToken,
      identityNonce({ act: 'register', passkey: credential, challenge }),
    )
    await requireUnlinked(database, login)
    await requireFreeUsername(database, username)
    const use = {
      challenge,
      ceremony: 'register',
      subject: registrationSubject(login, username),
      now,
    } as const
    const userId = challengedUser(await findChallenge(database, use))
    // The challenge may be of a name that this login has exchanged for another since.
    await requireUnreserved(database, username, { now, by: login })
    const account = await database.transaction().execute(async (transaction) => {
      await consumeChallenge(transaction, use)
      const created = await createPasskeyAccount(transaction, {
        ...{ userId, username, credential, now },
        deployment: services.accountDeployment,
      })
      await linkIdentity(transaction, login, { userId, now })
      await releaseName(transaction, login)
      return created
    })
    return {
      username,
      wallet: {
        scw_address: account.address,
        multi_scw: await listNetworkAccounts(services, account),
      },
      token: await tokens.issue(userId),
    }
  },
)
