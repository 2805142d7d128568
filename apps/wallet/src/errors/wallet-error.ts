/** What this wallet itself refuses, before the authenticator or the service is asked. */
export const walletErrors = {
  FOREIGN_ADDRESS: 'The service named an account address that does not belong to your passkey.',
  CALLS_DIFFER: 'The service built something else than what you asked for.',
  SENDER_DIFFERS: 'The service built a transaction for another account than yours.',
  HASH_DIFFERS: 'What your passkey would sign is not the transaction shown here.',
  KIT_DIFFERS: 'The service described another account than yours in the recovery kit.',
  QUOTE_DIFFERS: 'The service asks for another price than its own terms come to.',
  ORDER_DIFFERS: 'The service prepared another payment than the one it quoted.',
  FOREIGN_CONTRACT: 'The service named another contract for sessions than the one this wallet knows.',
  NOT_VERIFIABLE: 'The service did not say what your passkey would sign.',
} as const

export type WalletErrorCode = keyof typeof walletErrors

/** A check of this wallet that failed. Nothing was signed. */
export class WalletError extends Error {
  override readonly name = 'WalletError'
  readonly code: WalletErrorCode

  constructor(code: WalletErrorCode, options: { cause?: unknown } = {}) {
    super(walletErrors[code], options)
    this.code = code
  }
}
