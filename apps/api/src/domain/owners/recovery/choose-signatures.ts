import type { GuardianSet, GuardianSignature } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import { type Hash, isAddressEqual } from 'viem'
import { isAccepted } from './guardian-signature.ts'
import type { KeptSignature } from './recovery.ts'

/**
 * As many valid signatures as a network needs to start a recovery. Keys come first: their signatures cost less gas, and
 * hold everywhere. Contracts are asked again, since what they accept may have changed; a signature that was given for
 * another network may be accepted here, too, as by the signer contract of a passkey.
 *
 * @returns undefined if there are too few
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function chooseSignatures(
  network: Network,
  { members, threshold }: GuardianSet,
  hash: Hash,
  signatures: readonly KeptSignature[],
): Promise<readonly GuardianSignature[] | undefined> {
  const rank = (one: KeptSignature) => (one.network === 0 ? 0 : one.network === network.chainId ? 1 : 2)
  const chosen: GuardianSignature[] = []
  for (const { guardian, signature, network: chainId } of [...signatures].sort((a, b) => rank(a) - rank(b))) {
    if (chosen.length >= threshold) break
    const isNew = !chosen.some((one) => isAddressEqual(one.guardian, guardian))
    if (!isNew || !members.some((member) => isAddressEqual(member, guardian))) continue
    if (chainId !== 0 && !(await isAccepted(network, guardian, hash, signature))) continue
    chosen.push({ guardian, signature })
  }
  return chosen.length < threshold ? undefined : chosen
}
