import { type Address, isAddressEqual } from 'viem'

/** A contract of another provider, whose code EOAs run. */
export interface KnownDelegate {
  readonly address: Address
  /** Whose it is, as its users know it. */
  readonly name: string
  /**
   * What it keeps in the storage of the EOA: nothing; or slots of its own (ERC-7201, ERC-1967), which no other contract
   * reads by accident.
   */
  readonly storage: 'none' | 'namespaced'
}

/**
 * Delegates that many EOAs have. A name helps a person to recognise theirs; it is no judgement of the contract. Contracts that
 * have another address with each release, such as Ithaca's, are not in it.
 */
export const knownDelegates: readonly KnownDelegate[] = [
  {
    // EIP7702StatelessDeleGator: https://github.com/MetaMask/delegation-framework/blob/main/documents/EIP7702DeleGator.md
    address: '0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B',
    name: 'MetaMask',
    storage: 'none',
  },
  {
    // EIP7702Proxy: https://github.com/base/eip-7702-proxy#deployment-addresses
    address: '0x7702cb554e6bFb442cb743A7dF23154544a7176C',
    name: 'Coinbase',
    storage: 'namespaced',
  },
  {
    // SemiModularAccount7702: https://github.com/alchemyplatform/modular-account
    address: '0x69007702764179f14F51cdce752f4f775d74E139',
    name: 'Alchemy',
    storage: 'namespaced',
  },
]

/** The known delegate with this address. */
export const findKnownDelegate = (address: Address): KnownDelegate | undefined =>
  knownDelegates.find((delegate) => isAddressEqual(delegate.address, address))
