import type { Address } from 'viem'
import { bytesToHex, type Hex, isAddressEqual, isHex, recoverMessageAddress } from 'viem'
import { t } from '../i18n/t.ts'

/**
 * The text that a recovery key signs to prove that somebody holds it. The signature commits to nothing else.
 */
export interface RecoveryChallenge {
  readonly address: Address
  readonly text: string
}

/** Creates a text to sign with EIP-191 `personal_sign`, specific to this account, site and time. */
export function recoveryChallenge(
  address: Address,
  account: Address,
  now: Date = new Date(),
): RecoveryChallenge {
  const nonce = bytesToHex(crypto.getRandomValues(new Uint8Array(16))).slice(2)
  const text = [
    'I hold this recovery key.',
    '',
    `Key: ${address}`,
    `Account: ${account}`,
    `Wallet: ${location.host}`,
    `Issued: ${now.toISOString()}`,
    `Nonce: ${nonce}`,
  ].join('\n')
  return { address, text }
}

/** The problem with a proof. Undefined if the proof is valid. */
export async function checkRecoveryProof(
  { address, text }: RecoveryChallenge,
  signature: string,
): Promise<string | undefined> {
  const typed = signature.trim()
  if (!isHex(typed) || typed.length !== 132) return t('A signature is 0x and 130 hexadecimal digits.')
  try {
    const signer = await recoverMessageAddress({ message: text, signature: typed as Hex })
    return isAddressEqual(signer, address)
      ? undefined
      : t('This was signed by {signer}, or over another text. Sign the text above with the recovery key.', {
          signer,
        })
  } catch {
    return t('This is not a signature of an Ethereum key.')
  }
}
