import {
  type AccountOwner,
  computeAccountAddress,
  encodeCalls,
  encodeInitCode,
  encodeSignature,
  encodeWebAuthnSignature,
  getSafeOperationHash,
  stubSignature,
} from '@lanyard/accounts'
import { type Hash, type Hex, stringToHex } from 'viem'
import { foundry } from 'viem/chains'
import type { Enter } from './contestant.ts'
import { assertWithPasskey, eoa } from './owners.ts'

/** Our own account. */
export const lanyard =
  (owner: AccountOwner): Enter =>
  async () => ({
    sender: computeAccountAddress(owner),
    initCode: encodeInitCode(owner),
    encodeCalls: async (calls) => encodeCalls(calls),
    stubSignature: stubSignature(owner),
    async sign(operation) {
      const hash = getSafeOperationHash(operation, { chainId: foundry.id })
      const signatures = owner.kind === 'eoa' ? await eoa.sign({ hash }) : signWithPasskey(hash)
      return encodeSignature({ validAfter: 0, validUntil: 0, signatures })
    },
  })

function signWithPasskey(hash: Hash): Hex {
  const { metadata, signature } = assertWithPasskey(hash)
  const result = encodeWebAuthnSignature({
    hash,
    assertion: {
      authenticatorData: metadata.authenticatorData,
      clientDataJSON: stringToHex(metadata.clientDataJSON),
      signature,
    },
  })
  if (!result.ok) throw new TypeError(result.message)
  return result.signature
}
