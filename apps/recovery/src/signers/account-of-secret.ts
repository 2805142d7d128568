import { isHex } from 'viem'
import { type HDAccount, mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

export type SecretAccount = PrivateKeyAccount | HDAccount

/**
 * The account of a private key (0x and 64 hex digits), or of a recovery key of twelve words (BIP-39, path
 * m/44'/60'/0'/0/0). Undefined for anything else.
 */
export function accountOfSecret(text: string): SecretAccount | undefined {
  const secret = text.trim()
  if (isHex(secret)) return secret.length === 66 ? privateKeyToAccount(secret) : undefined
  const words = secret.toLowerCase().split(/\s+/)
  if (words.length !== 12 || !words.every((word) => /^[a-z]{3,8}$/.test(word))) return undefined
  return mnemonicToAccount(words.join(' '))
}
