import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { AnyWallet } from '../accounts/wallet.ts'
import { describeOwners } from './describe-owners.ts'
import { readOwners } from './read-owners.ts'

/**
 * The endpoints of EOA accounts take an EOA's signature: from the EOA that the account was created with, or
 * from one that was added on this network. A passkey signs in a ceremony instead.
 *
 * @throws UNSUPPORTED_SIGNATURE_TYPE naming the endpoints to use instead
 */
export async function requireEoaSigner(network: Network, wallet: AnyWallet): Promise<void> {
  if (await hasEoaSigner(network, wallet)) return
  throw new LanyardError('UNSUPPORTED_SIGNATURE_TYPE', {
    message: `Only a passkey owns this wallet on ${network.config.name}. Use /v3/webauthn/transaction/generate-options and /v3/webauthn/transaction/verify.`,
  })
}

/**
 * Whether an EOA can sign for an account on a network.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function hasEoaSigner(network: Network, wallet: AnyWallet): Promise<boolean> {
  if (wallet.owner.kind === 'eoa') return true
  const { owners } = await readOwners(network, wallet)
  const described = await describeOwners(network, wallet, owners, [])
  return described.some(({ kind }) => kind === 'eoa')
}
