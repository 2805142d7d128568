import { LanyardError } from '@lanyard/contracts'
import type { CredentialRow } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Wallet } from '../accounts/safe-kind.ts'
import { findPasskeySigners } from './passkey-signers.ts'
import { onEachNetwork, readOwners } from './read-owners.ts'

/**
 * Whether a passkey owns an account on a network now.
 *
 * @throws NETWORK_UNAVAILABLE if a network that may have it as an owner does not answer
 */
export async function isPasskeyOwner(
  networks: Networks,
  wallet: Wallet,
  credential: CredentialRow,
): Promise<boolean> {
  const answers = await onEachNetwork(networks, async (network) => {
    const { owners } = await readOwners(network, wallet)
    return { signers: await findPasskeySigners(network, wallet, owners, [credential]) }
  })
  if (answers.some((answer) => 'signers' in answer && answer.signers.length > 0)) return true
  if (answers.some((answer) => 'status' in answer)) throw new LanyardError('NETWORK_UNAVAILABLE')
  return false
}
