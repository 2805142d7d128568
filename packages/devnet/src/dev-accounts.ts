import type { Address, Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/** A funded account of the local networks. */
export interface DevAccount {
  readonly address: Address
  readonly privateKey: Hex
}

/** PUBLIC, known to everyone: the phrase that anvil and hardhat use by default. */
export const devMnemonic = 'test test test test test test test test test test test junk'

/**
 * Ten accounts with 10,000 ether each on every local network.
 *
 * PUBLIC private keys, printed in anvil's own documentation: never send real money to these addresses, bots
 * empty them within seconds.
 */
export const devAccounts: readonly DevAccount[] = Array.from({ length: 10 }, (_, addressIndex) => {
  const account = mnemonicToAccount(devMnemonic, { addressIndex })
  const privateKey = account.getHdKey().privateKey
  if (!privateKey) throw new TypeError('A key derived from a mnemonic is private')
  return { address: account.address, privateKey: `0x${Buffer.from(privateKey).toString('hex')}` }
})
