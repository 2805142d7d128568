import { ownerConsentText } from '@lanyard/accounts'
import { type Address, type Hex, isAddressEqual, isHex, recoverMessageAddress } from 'viem'
import { t } from '../../i18n/t.ts'

/** The text that a recovery key signs (EIP-191) to show that a person holds it. The service asks for the same one. */
export interface RecoveryChallenge {
  readonly address: Address
  readonly text: string
}

export const recoveryChallenge = (address: Address, account: Address): RecoveryChallenge => ({
  address,
  text: ownerConsentText({ account, owner: address }),
})

/** The signature of a key, or the problem with what was given. */
export type CheckedProof = { readonly signature: Hex } | { readonly problem: string }

/** Checks what a person signed or pasted. */
export async function checkRecoveryProof(
  { address, text }: RecoveryChallenge,
  given: string,
): Promise<CheckedProof> {
  const signature = given.trim()
  if (!isHex(signature) || signature.length !== 132)
    return { problem: t('A signature is 0x and 130 hexadecimal digits.') }
  try {
    const signer = await recoverMessageAddress({ message: text, signature })
    if (isAddressEqual(signer, address)) return { signature }
    return {
      problem: t(
        'This was signed by {signer}, or over another text. Sign the text above with the recovery key.',
        {
          signer,
        },
      ),
    }
  } catch {
    return { problem: t('This is not a signature of an Ethereum key.') }
  }
}
