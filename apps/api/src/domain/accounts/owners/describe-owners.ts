import { isEoaCode } from '@lanyard/accounts'
import type { CredentialRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type Address, isAddressEqual } from 'viem'
import { type AnyWallet, isSafe } from '../accounts/wallet.ts'
import { findPasskeySigners } from './passkey-signers.ts'

export interface DescribedOwner {
  readonly address: Address
  readonly kind: 'eoa' | 'passkey' | 'contract'
  /** Present for passkeys of this service. */
  readonly credential?: CredentialRow
}

/**
 * Determines the kind of each owner: a passkey of the wallet's user, an EOA, or a contract that this service
 * does not know.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function describeOwners(
  network: Network,
  wallet: AnyWallet,
  owners: readonly Address[],
  credentials: readonly CredentialRow[],
): Promise<DescribedOwner[]> {
  const signers = isSafe(wallet) ? await findPasskeySigners(network, wallet, owners, credentials) : []
  return Promise.all(
    owners.map(async (address): Promise<DescribedOwner> => {
      const signer = signers.find(({ contract }) => isAddressEqual(contract, address))
      if (signer) return { address, kind: 'passkey', credential: signer.credential }
      const code = await network.call((client) => client.getCode({ address }))
      return { address, kind: isEoaCode(code) ? 'eoa' : 'contract' }
    }),
  )
}
