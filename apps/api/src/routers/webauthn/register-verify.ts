import { endpoints, usernameKey } from '@lanyard/contracts'
import { listNetworkAccounts } from '../../accounts/deployed-networks.ts'
import { deploySponsored, requireSponsor, reserveSponsorship } from '../../accounts/sponsored-deployment.ts'
import { implement } from '../../implement.ts'
import { challengedUser, consumeChallenge } from '../../webauthn/challenges.ts'
import { createPasskeyAccount } from '../../webauthn/create-passkey-account.ts'
import { findRegistrationChallenge } from '../../webauthn/registration-challenge.ts'
import { verifyRegistration } from '../../webauthn/verify-registration.ts'

export const registerVerify = implement(
  endpoints.webauthn.registerVerify,
  async ({ username, deployWallet, ...response }, { services, apiKey }) => {
    const { database, relyingParty, tokens } = services
    const now = services.now()
    if (deployWallet) requireSponsor(services)

    const row = await findRegistrationChallenge(database, username, response, now)
    const { challenge } = row
    const userId = challengedUser(row)
    const credential = await verifyRegistration(relyingParty, challenge, response)
    const address = await database.transaction().execute(async (transaction) => {
      await consumeChallenge(transaction, {
        challenge,
        ceremony: 'register',
        subject: usernameKey(username),
        now,
      })
      if (deployWallet) await reserveSponsorship(transaction, services, apiKey)
      return createPasskeyAccount(transaction, { userId, username, credential, now })
    })
    if (deployWallet) await deploySponsored(services, { x: credential.x, y: credential.y })
    return {
      username,
      wallet: { scw_address: address, multi_scw: await listNetworkAccounts(services, address) },
      token: await tokens.issue(userId),
    }
  },
)
