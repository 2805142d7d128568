import { endpoints, usernameKey } from '@lanyard/contracts'
import { listNetworkAccounts } from '../../domain/accounts/accounts/deployed-networks.ts'
import {
  deploySponsored,
  requireSponsor,
  reserveSponsorship,
} from '../../domain/accounts/accounts/sponsored-deployment.ts'
import { challengedUser, consumeChallenge } from '../../domain/accounts/passkeys/challenges.ts'
import { createPasskeyAccount } from '../../domain/accounts/passkeys/create-passkey-account.ts'
import { findRegistrationChallenge } from '../../domain/accounts/passkeys/registration-challenge.ts'
import { verifyRegistration } from '../../domain/accounts/passkeys/verify-registration.ts'
import { implement } from '../../pipeline/implement.ts'

export const registerVerify = implement(
  endpoints.webauthn.registerVerify,
  async ({ username, deployWallet, ...response }, { services, project, apiKey }) => {
    const { database, tokens } = services
    const now = services.now()
    if (deployWallet) requireSponsor(services)

    const row = await findRegistrationChallenge(database, username, response, now)
    const { challenge } = row
    const userId = challengedUser(row)
    const credential = await verifyRegistration(project.relyingParty, challenge, response)
    const account = await database.transaction().execute(async (transaction) => {
      await consumeChallenge(transaction, {
        challenge,
        ceremony: 'register',
        subject: usernameKey(username),
        now,
      })
      if (deployWallet) await reserveSponsorship(transaction, services, apiKey)
      return createPasskeyAccount(transaction, {
        ...{ userId, username, credential, now },
        deployment: services.accountDeployment,
      })
    })
    if (deployWallet) await deploySponsored(services, { x: credential.x, y: credential.y })
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
