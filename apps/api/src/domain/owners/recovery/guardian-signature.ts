import type { Network } from '@lanyard/networks'
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

/** What the module gives a guardian's contract, and what a call needs before it. */
const maxGas = 1_100_000n

/** bytes4, padded to a word. */
const accepted = `0x1626ba7e${'0'.repeat(56)}`

/** Half the order of secp256k1: the module refuses a signature with a higher s (EIP-2). */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * The signature of a guardian's key in the form that the module takes (v 27 or 28), which holds on every network.
 * Undefined if it is not by that key.
 */
export async function toKeySignature(
  guardian: Address,
  hash: Hash,
  signature: Hex,
): Promise<Hex | undefined> {
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
 * Whether the contract of a guardian accepts a signature on a network now (ERC-1271), as the module asks it.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function isAccepted(
  network: Network,
  guardian: Address,
  hash: Hash,
  signature: Hex,
): Promise<boolean> {
  currentMeter()?.addGas(maxGas)
  const args = [hash, signature] as const
  const data = encodeFunctionData({ abi: erc1271Abi, functionName: 'isValidSignature', args })
  try {
    const answer = await network.call((client) => client.call({ to: guardian, data, gas: maxGas }))
    return answer.data?.slice(0, accepted.length) === accepted
  } catch (error) {
    // Only reverts reach this point as viem errors.
    if (error instanceof BaseError) return false
    throw error
  }
}
