import { randomPrivateKey } from '@lanyard/testing'
import { type Address, getAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { postJson } from '../http-service.ts'
import { eoaStory } from './eoa-story.ts'
import { type PasskeyUser, passkeyStory, registerPasskey } from './passkey-user.ts'
import { chainId, type KillScene } from './scene.ts'
import type { StoryToTell } from './told-story.ts'

/** First operations of new accounts, by who signs and who pays. */
export const storyKinds = ['EOA', 'sponsored', 'passkey'] as const
export type StoryKind = (typeof storyKinds)[number]

const transactionDetails = [
  { targetContractAddress: '0x00000000000000000000000000000000000000ad', value: '0', encodedData: '0x' },
]
let users = 0

export function newStory(kind: StoryKind, scene: KillScene): StoryToTell {
  const story = kind === 'passkey' ? newPasskeyStory(scene) : newEoaStory(scene, kind)
  return { ...story, chainId, finalize: () => scene.chain.mine({ blocks: 4 }) }
}

type Told = Omit<StoryToTell, 'chainId' | 'finalize'>

function newEoaStory(scene: KillScene, kind: 'EOA' | 'sponsored'): Told {
  const owner = privateKeyToAccount(randomPrivateKey())
  const payment = kind === 'sponsored' ? { paymasterData: 'sponsored' } : {}
  let walletAddress: Address
  return {
    ...eoaStory({
      path: '/smart-account/transaction/build',
      request: () => ({ network: String(chainId), walletAddress, transactionDetails, ...payment }),
      sign: (hash) => owner.signMessage({ message: { raw: hash } }),
    }),
    async prepare(url) {
      const { body } = await postJson(`${url}/smart-account/create`, { eoaAddress: owner.address })
      walletAddress = getAddress(body.wallet.scw_address)
      if (kind === 'EOA') await scene.fund(walletAddress)
      return walletAddress
    },
  }
}

function newPasskeyStory(scene: KillScene): Told {
  let user: PasskeyUser | undefined
  return {
    ...passkeyStory(
      () => user as PasskeyUser, // prepare makes it
      () => transactionDetails,
    ),
    async prepare(url) {
      // A name whose registration nobody confirmed may be taken: the next attempt has another one.
      user = await registerPasskey(url, `user-${users++}`)
      await scene.fund(user.address)
      return user.address
    },
  }
}
