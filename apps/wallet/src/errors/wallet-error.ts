import { CodedError } from '@lanyard/onchain'
import { t } from '../i18n/t.ts'
/** Checks that this wallet makes before it calls the authenticator or the service. */
export const walletErrors = {
  FOREIGN_ADDRESS: t('The service named an account address that does not belong to your passkey.'),
  CALLS_DIFFER: t('The service built something other than what you asked for.'),
  SENDER_DIFFERS: t('The service built a transaction for an account that is not yours.'),
  NONCE_DIFFERS: t('The service built a transaction that would not take the place of the first one.'),
  HASH_DIFFERS: t('What your passkey would sign is not the transaction shown here.'),
  KIT_DIFFERS: t('The recovery kit from the service is for an account that is not yours.'),
  QUOTE_DIFFERS: t('The service’s price does not match its own terms.'),
  ORDER_DIFFERS: t('The service prepared a payment that differs from its quote.'),
  FOREIGN_CONTRACT: t('The service named a session keys contract that this wallet does not know.'),
  FOREIGN_MODULE: t('The service named a guardians contract that this wallet does not know.'),
  OTHER_PASSKEY: t('This is another passkey than the one that was named.'),
  NOT_VERIFIABLE: t('The service did not say what your passkey would sign.'),
} as const

export type WalletErrorCode = keyof typeof walletErrors

/** A failed check of this wallet. Nothing was signed. */
export class WalletError extends CodedError<WalletErrorCode> {
  override readonly name = 'WalletError'

  constructor(code: WalletErrorCode, options?: ErrorOptions) {
    super(code, walletErrors[code], options)
  }
}
