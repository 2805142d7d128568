import { pbkdf2Sync } from 'node:crypto'
import { type Address, type Hex, toHex } from 'viem'
import { HDKey, privateKeyToAddress } from 'viem/accounts'

/** A funded account of the local networks. */
export interface DevAccount {
  readonly address: Address
  readonly privateKey: Hex
}

/** PUBLIC: the default phrase of anvil and hardhat. */
export const devMnemonic = 'test test test test test test test test test test test junk'

/** BIP-39 without a passphrase, using Node's own code: in JavaScript this step takes 0.1 s of every start. */
const seed = pbkdf2Sync(devMnemonic, 'mnemonic', 2048, 64, 'sha512')

const parent = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'/0")

function devAccount(index: number): DevAccount {
  const { privateKey } = parent.deriveChild(index)
  if (!privateKey) throw new TypeError('A key derived from a mnemonic is private')
  const hex = toHex(privateKey)
  return { address: privateKeyToAddress(hex), privateKey: hex }
}

/**
 * Ten accounts with 10,000 ether each on every local network.
 *
 * Their private keys are PUBLIC, printed in anvil's own documentation: never send real money to these
 * addresses; bots empty them within seconds.
 */
export const devAccounts: readonly DevAccount[] = Array.from({ length: 10 }, (_, index) => devAccount(index))

/** The role holders of SmartBalance and its AttestorSet, and the account that tops up its gas deposit. */
export interface DevRoles {
  readonly owner: DevAccount
  readonly operator: DevAccount
  readonly settler: DevAccount
  readonly pauser: DevAccount
  readonly topUp: DevAccount
  readonly attestors: readonly DevAccount[]
}

/**
 * The roles of the smart balance on every local network, each with 10,000 ether. They are separate from
 * {@link devAccounts}, so that experiments with those do not disturb the service.
 *
 * These private keys are PUBLIC, too: never give them a role on a real network.
 */
export const devRoles: DevRoles = {
  owner: devAccount(20),
  operator: devAccount(21),
  settler: devAccount(22),
  topUp: devAccount(27),
  attestors: [devAccount(23), devAccount(24), devAccount(25)],
  pauser: devAccount(26),
}
