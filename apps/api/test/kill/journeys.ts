import { randomPrivateKey } from '@lanyard/testing'
import { type Address, getAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { postJson } from '../http-service.ts'
import { eoaJourney } from './eoa-journey.ts'
import { chainId, type KillFixture } from './kill-fixture.ts'
import { type PasskeyUser, passkeyJourney, registerPasskey } from './passkey-user.ts'
import type { KillJourney } from './run-journey.ts'

/** First operations of new accounts, by signer and payer. */
export const journeyKinds = ['EOA', 'sponsored', 'passkey'] as const
export type JourneyKind = (typeof journeyKinds)[number]

const transactionDetails = [
  { targetContractAddress: '0x00000000000000000000000000000000000000ad', value: '0', encodedData: '0x' },
]
let users = 0

export function newJourney(kind: JourneyKind, fixture: KillFixture): KillJourney {
  const journey = kind === 'passkey' ? newPasskeyJourney(fixture) : newEoaJourney(fixture, kind)
  return { ...journey, chainId, finalize: () => fixture.chain.mine({ blocks: 4 }) }
}

type Steps = Omit<KillJourney, 'chainId' | 'finalize'>

function newEoaJourney(fixture: KillFixture, kind: 'EOA' | 'sponsored'): Steps {
  const owner = privateKeyToAccount(randomPrivateKey())
  const payment = kind === 'sponsored' ? { paymasterData: 'sponsored' } : {}
  let walletAddress: Address
  return {
    ...eoaJourney({
      path: '/smart-account/transaction/build',
      request: () => ({ network: String(chainId), walletAddress, transactionDetails, ...payment }),
      sign: (hash) => owner.signMessage({ message: { raw: hash } }),
    }),
    async prepare(url) {
      const { body } = await postJson(`${url}/smart-account/create`, { eoaAddress: owner.address })
      walletAddress = getAddress(body.wallet.scw_address)
      if (kind === 'EOA') await fixture.fund(walletAddress)
      return walletAddress
    },
  }
}

function newPasskeyJourney(fixture: KillFixture): Steps {
  let user: PasskeyUser | undefined
  return {
    ...passkeyJourney(
      () => user as PasskeyUser, // `prepare` sets the user.
      () => transactionDetails,
    ),
    async prepare(url) {
      // An unconfirmed registration may have taken the name, so each attempt uses a new one.
      user = await registerPasskey(url, `user-${users++}`)
      await fixture.fund(user.address)
      return user.address
    },
  }
}
