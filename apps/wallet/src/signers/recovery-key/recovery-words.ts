import type { Address, Hex } from 'viem'
import { english, generateMnemonic, mnemonicToAccount } from 'viem/accounts'
import { recoveryChallenge } from './recovery-proof.ts'

/** A recovery key as twelve words (BIP-39), from which every Ethereum wallet makes the same key (m/44'/60'/0'/0/0). */
export interface RecoveryWords {
  readonly words: readonly string[]
  readonly address: Address
  /** That it may own the account. */
  readonly consent: Hex
}

/** Makes a key on this device. It is never stored or sent: only the person keeps it. */
export async function makeRecoveryWords(account: Address): Promise<RecoveryWords> {
  const mnemonic = generateMnemonic(english)
  const key = mnemonicToAccount(mnemonic)
  const { text: message } = recoveryChallenge(key.address, account)
  const consent = await key.signMessage({ message })
  return { words: mnemonic.split(' '), address: key.address, consent }
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
