import {
  defaultVerifiers,
  encodeVerifyAsSigner,
  type GuardianSet,
  type GuardianSignature,
  type PasskeyOwner,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network, Networks } from '@lanyard/networks'
import { erc1271Abi } from '@lanyard/onchain'
import {
  type Address,
  BaseError,
  encodeFunctionData,
  type Hash,
  type Hex,
  isAddressEqual,
  recoverAddress,
  size,
} from 'viem'
import { currentMeter } from '../../../platform/log/current-request.ts'
import { onEachNetwork } from '../../accounts/owners/read-owners.ts'
import { isPasskeySignature } from '../../accounts/passkeys/verify-contract-signature.ts'
import type { StoredSignature } from './recovery.ts'

/** What the module gives a guardian's contract, and what a call needs before it. */
const maxGas = 1_100_000n

/** What the module takes of each guardian: padding would be paid for on each network. */
const maxBytes = 2_048

/** bytes4, padded to a word. */
const accepted = `0x1626ba7e${'0'.repeat(56)}`

/** Half the order of secp256k1: the module refuses a signature with a higher s (EIP-2). */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * The signature of a guardian's key in the form that the module takes (v 27 or 28), which holds on every network.
 * Undefined if it is not by that key.
 */
async function toKeySignature(guardian: Address, hash: Hash, signature: Hex): Promise<Hex | undefined> {
  if (size(signature) !== 65) return undefined
  const v = Number.parseInt(signature.slice(-2), 16)
  const parity = v < 2 ? v : v - 27
  if ((parity !== 0 && parity !== 1) || BigInt(`0x${signature.slice(66, 130)}`) > halfOrder) return undefined
  const form = `${signature.slice(0, -2)}${(27 + parity).toString(16)}` as Hex // hex again
  try {
    return isAddressEqual(await recoverAddress({ hash, signature: form }), guardian) ? form : undefined
  } catch {
    return undefined // r or s is 0, or no point of the curve
  }
}

/**
 * Whether the contract of a guardian accepts a signature on a network now (ERC-1271), as the module asks it. The factory
 * answers for the signer contract of a passkey, also where it is not created.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
async function isAccepted(
  network: Network,
  { guardian, signature, key }: Pick<StoredSignature, 'guardian' | 'signature' | 'key'>,
  hash: Hash,
): Promise<boolean> {
  currentMeter()?.addGas(maxGas)
  const call = key
    ? encodeVerifyAsSigner(key, { hash, signature })
    : {
        to: guardian,
        data: encodeFunctionData({
          ...{ abi: erc1271Abi, functionName: 'isValidSignature', args: [hash, signature] },
        }),
      }
  try {
    const answer = await network.call((client) => client.call({ ...call, gas: maxGas }))
    return answer.data?.slice(0, accepted.length) === accepted
  } catch (error) {
    // Only reverts reach this point as viem errors.
    if (error instanceof BaseError) return false
    throw error
  }
}

/**
 * Finds where a guardian's signature counts: everywhere for a key and for a passkey, and for another contract on the networks
 * where it accepts the signature now. The signer contract of a passkey need not exist: a start creates it.
 *
 * @param chainId - the only network to ask; absent: each
 * @param key - the passkey whose signer contract the guardian is
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
    key,
  }: {
    readonly guardian: Address
    readonly hash: Hash
    readonly signature: Hex
    readonly chainId: number | undefined
    readonly key: PasskeyOwner | undefined
  },
): Promise<readonly StoredSignature[]> {
  const ofKey = await toKeySignature(guardian, hash, signature)
  if (ofKey) return [{ guardian, signature: ofKey, network: 0 }]
  // Other verifiers may decide otherwise: the networks are asked.
  const isOfPasskey = key?.verifiers === defaultVerifiers && isPasskeySignature(hash, signature, key)
  if (isOfPasskey) return [{ guardian, signature, network: 0, key }]
  if (chainId !== undefined) networks.get(chainId)
  if (size(signature) > maxBytes) throw invalidSignature()
  let request = 0
  const answers = await onEachNetwork(networks, async (network) => {
    const isMeant = network.config.ownership === module && (chainId ?? network.chainId) === network.chainId
    if (!isMeant) return undefined
    const isValid = await isAccepted(network, { guardian, signature, key }, hash)
    request++
    return isValid ? { guardian, signature, network: network.chainId, key } : undefined
  })
  const accepted = answers.flatMap((answer) => (answer && 'signature' in answer ? [answer] : []))
  if (accepted.length > 0) return accepted
  if (request === 0) throw new LanyardError('NETWORK_UNAVAILABLE')
  throw invalidSignature()
}

const invalidSignature = () =>
  new LanyardError('INVALID_SIGNATURE', {
    message:
      'The guardian did not sign this recovery: an EOA signs it as EIP-712 typed data, a passkey signs its hash (send its `key`), and another contract must accept the signature, of at most 2,048 bytes, on the network.',
  })

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
  signatures: readonly StoredSignature[],
): Promise<readonly (GuardianSignature & Pick<StoredSignature, 'key'>)[] | undefined> {
  const rank = ({ network: chainId, key }: StoredSignature) =>
    chainId === 0 ? (key ? 1 : 0) : chainId === network.chainId ? 2 : 3
  const chosen: (GuardianSignature & Pick<StoredSignature, 'key'>)[] = []
  for (const kept of [...signatures].sort((a, b) => rank(a) - rank(b))) {
    const { guardian, signature, key, network: chainId } = kept
    if (chosen.length >= threshold) break
    const isNew = !chosen.some((one) => isAddressEqual(one.guardian, guardian))
    if (!isNew || !members.some((member) => isAddressEqual(member, guardian))) continue
    if ((chainId !== 0 || key) && !(await isAccepted(network, kept, hash))) continue
    chosen.push({ guardian, signature, key })
  }
  return chosen.length < threshold ? undefined : chosen
}

/** The guardians in force whose signature counts on a network. */
export const signedGuardians = (
  { members }: GuardianSet,
  signatures: readonly StoredSignature[],
  network: number,
): Address[] =>
  members.filter((member) =>
    signatures.some(
      (one) => isAddressEqual(one.guardian, member) && (one.network === 0 || one.network === network),
    ),
  )
