import { endpoints } from '@lanyard/contracts'
import { createSiweMessage } from 'viem/siwe'
import { findAnyOwnedWallet } from '../../domain/accounts/owners/owned-wallet.ts'
import { requireOwnerSomewhere } from '../../domain/accounts/owners/read-owners.ts'
import { challengeLifetime, issueChallenge } from '../../domain/accounts/passkeys/challenges.ts'
import { loginOrigin } from '../../domain/accounts/tokens/login-origin.ts'
import { implement } from '../../pipeline/implement.ts'

export const message = implement(
  endpoints.login.message,
  async ({ walletAddress, type, eoaAddress }, { services, project, origin: asking }) => {
    const { database, networks } = services
    const { wallet, userId } = await findAnyOwnedWallet(database, walletAddress, type)
    await requireOwnerSomewhere(networks, wallet, eoaAddress)
    const now = services.now()
    const origin = loginOrigin(project.relyingParty, asking)
    const challenge = await issueChallenge(database, {
      ceremony: 'login',
      subject: eoaAddress.toLowerCase(),
      userId,
      now,
    })
    return {
      message: createSiweMessage({
        domain: new URL(origin).host, // RFC 3986 §3.2: the authority, with its port
        uri: origin,
        address: eoaAddress,
        statement: `Sign in to the wallet ${wallet.address}.`,
        version: '1',
        // ERC-4361 requires a chain; an EOA's signature is the same on all chains.
        chainId: networks.list()[0]?.chainId ?? 1,
        // ERC-4361: a nonce contains only letters and digits.
        nonce: Buffer.from(challenge, 'base64url').toString('hex'),
        issuedAt: now,
        expirationTime: new Date(now.getTime() + challengeLifetime),
      }),
    }
  },
)
