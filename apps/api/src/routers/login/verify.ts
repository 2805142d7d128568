import { endpoints } from '@lanyard/contracts'
import { claimImport } from '@lanyard/database'
import { recoverMessageAddress } from 'viem'
import { parseSiweMessage, validateSiweMessage } from 'viem/siwe'
import { findAnyUserWallet } from '../../domain/accounts/accounts/find-named-account.ts'
import { requireOwnerSomewhere } from '../../domain/accounts/owners/read-owners.ts'
import { challengedUser, consumeChallenge, findChallenge } from '../../domain/accounts/passkeys/challenges.ts'
import { verificationFailed } from '../../domain/accounts/passkeys/verification-failed.ts'
import { implement } from '../../pipeline/implement.ts'

export const verify = implement(
  endpoints.login.verify,
  async ({ message, signature }, { services, project }) => {
    const { database, networks, tokens } = services
    const now = services.now()
    const parsed = parseSiweMessage(message)
    const { address, nonce, uri } = parsed
    const origin = project.relyingParty.origins.find((one) => one === uri)
    const isOurs =
      origin !== undefined &&
      validateSiweMessage({ message: parsed, domain: new URL(origin).host, time: now })
    if (!isOurs || address === undefined || nonce === undefined) {
      throw verificationFailed('the message was not issued by this service, or has expired.')
    }
    const signer = await recoverMessageAddress({ message, signature }).catch(() => undefined)
    if (signer !== address) throw verificationFailed('the address in the message did not make the signature.')

    const use = {
      challenge: Buffer.from(nonce, 'hex').toString('base64url'),
      ceremony: 'login',
      subject: address.toLowerCase(),
      now,
    } as const
    const userId = challengedUser(await findChallenge(database, use))
    const wallet = await findAnyUserWallet(database, userId)
    await requireOwnerSomewhere(networks, wallet, address)
    await database.transaction().execute(async (transaction) => {
      await consumeChallenge(transaction, use)
      // The signature proves the key, so what was imported for it holds from now on.
      const claim = { owner: address.toLowerCase(), account: wallet.address.toLowerCase() }
      await claimImport(transaction, claim, now)
    })
    return { token: await tokens.issue(userId) }
  },
)
