import type { Address } from 'viem'
import { bytesToHex, type Hex, isAddressEqual, isHex, recoverMessageAddress } from 'viem'

/** What a recovery key signs to show that somebody holds it. The key commits to nothing else by it. */
export interface RecoveryChallenge {
  readonly address: Address
  readonly text: string
}

/** A text to sign with EIP-191 `personal_sign`: for this account, this site and this moment. */
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

/** What is wrong with a proof; undefined where it is good. */
export async function checkRecoveryProof(
  { address, text }: RecoveryChallenge,
  signature: string,
): Promise<string | undefined> {
  const typed = signature.trim()
  if (!isHex(typed) || typed.length !== 132) return 'A signature is 0x and 130 hexadecimal digits.'
  try {
    const signer = await recoverMessageAddress({ message: text, signature: typed as Hex })
    return isAddressEqual(signer, address)
      ? undefined
      : `This was signed by ${signer}, or over another text. Sign the text above with the recovery key.`
  } catch {
    return 'This is not a signature of an Ethereum key.'
  }
}
