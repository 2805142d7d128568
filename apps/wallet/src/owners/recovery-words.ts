import type { Address } from 'viem'
import { english, generateMnemonic, mnemonicToAccount } from 'viem/accounts'

/** A recovery key as twelve words (BIP-39), from which every Ethereum wallet makes the same key (m/44'/60'/0'/0/0). */
export interface RecoveryWords {
  readonly words: readonly string[]
  readonly address: Address
}

/** Makes a key on this device. It is never stored or sent: only the person keeps it. */
export function makeRecoveryWords(): RecoveryWords {
  const mnemonic = generateMnemonic(english)
  return { words: mnemonic.split(' '), address: mnemonicToAccount(mnemonic).address }
}

/** The file that the person may save instead of writing the words down. */
export const formatRecoveryWords = ({ words, address }: RecoveryWords, account: Address): string =>
  [
    'RECOVERY KEY. Whoever has these words can spend everything in the account.',
    '',
    words.join(' '),
    '',
    `Key:     ${address}`,
    `Account: ${account}`,
    "Path:    m/44'/60'/0'/0/0",
    '',
  ].join('\n')
