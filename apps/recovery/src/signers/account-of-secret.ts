import { isHex } from 'viem'
import { type HDAccount, mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

export type SecretAccount = PrivateKeyAccount | HDAccount

/**
 * The account of a private key (64 hex digits, with or without 0x), or of 12 or 24 words (BIP-39, path m/44'/60'/0'/0/0), such as
 * a recovery key. Undefined for anything else.
 */
export function accountOfSecret(text: string): SecretAccount | undefined {
  const secret = text.trim()
  const hex = /^[\da-f]{64}$/i.test(secret) ? (`0x${secret}` as const) : secret
  if (isHex(hex)) return hex.length === 66 ? tryToOpen(() => privateKeyToAccount(hex)) : undefined
  const words = secret.toLowerCase().split(/\s+/)
  if (![12, 24].includes(words.length) || !words.every((word) => /^[a-z]{3,8}$/.test(word))) return undefined
  return tryToOpen(() => mnemonicToAccount(words.join(' ')))
}

/** 0 and numbers beyond the order of the curve are no keys. */
function tryToOpen<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}
