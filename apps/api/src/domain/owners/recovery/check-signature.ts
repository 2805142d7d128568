import { LanyardError } from '@lanyard/contracts'
import type { Networks } from '@lanyard/networks'
import type { Address, Hash, Hex } from 'viem'
import { onEachNetwork } from '../../accounts/owners/read-owners.ts'
import { isAccepted, toKeySignature } from './guardian-signature.ts'
import type { KeptSignature } from './recovery.ts'

/**
 * Finds where a guardian's signature counts: everywhere for a key, and for a contract on the networks where it accepts
 * the signature now.
 *
 * @param chainId - the only network to ask; absent: each
 * @throws INVALID_SIGNATURE, NETWORK_UNAVAILABLE if no network could be asked, UNKNOWN_NETWORK
 */
export async function checkSignature(
  networks: Networks,
  module: Address,
  {
    guardian,
    hash,
    signature,
    chainId,
  }: {
    readonly guardian: Address
    readonly hash: Hash
    readonly signature: Hex
    readonly chainId: number | undefined
  },
): Promise<readonly KeptSignature[]> {
  const ofKey = await toKeySignature(guardian, hash, signature)
  if (ofKey) return [{ guardian, signature: ofKey, network: 0 }]
  if (chainId !== undefined) networks.get(chainId)
  let request = 0
  const answers = await onEachNetwork(networks, async (network) => {
    const isMeant = network.config.ownership === module && (chainId ?? network.chainId) === network.chainId
    if (!isMeant) return undefined
    const isValid = await isAccepted(network, guardian, hash, signature)
    request++
    return isValid ? { guardian, signature, network: network.chainId } : undefined
  })
  const accepted = answers.flatMap((answer) => (answer && 'signature' in answer ? [answer] : []))
  if (accepted.length > 0) return accepted
  if (request === 0) throw new LanyardError('NETWORK_UNAVAILABLE')
  throw new LanyardError('INVALID_SIGNATURE', {
    message:
      'The guardian did not sign this recovery: an EOA signs it as EIP-712 typed data, and a contract must accept the signature on the network.',
  })
}
