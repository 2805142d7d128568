import type { Network } from '@lanyard/networks'
import {
  type Address,
  BaseError,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hash,
  type Hex,
} from 'viem'
import { currentMeter } from '../../platform/log/current-request.ts'

/** Gas of one check: it deploys an account with a passkey and verifies its signature several times over. */
const maxGas = 10_000_000n

/** What a check by a deployed account is charged: an owner that is a contract may use as much. */
const usualGas = 3_000_000n

/** The end of a signature that brings calls of its own (ERC-6492). */
const wrappedEnd = '6492'.repeat(16)

/**
 * Whether a verifier accepts a signature of an account, in either form. ERC-6492's validator runs in one
 * `eth_call` without being deployed.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function isValidSignature(
  network: Network,
  account: Address,
  messageHash: Hash,
  signature: Hex,
): Promise<boolean> {
  currentMeter()?.addGas(signature.endsWith(wrappedEnd) ? maxGas : usualGas)
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [account, messageHash, signature],
  })
  try {
    const answer = await network.call((client) => client.call({ data, gas: maxGas }))
    return answer.data === '0x01'
  } catch (error) {
    // Only reverts reach this point as viem errors: a Safe reverts on a bad signature, and the validator
    // reverts with it.
    if (error instanceof BaseError) return false
    throw error
  }
}
