import type { Network } from '@lanyard/networks'
import { sessionKeysAbi } from '@lanyard/onchain'
import { decodeSessionState, type SessionState } from '@lanyard/session-keys'
import { type Address, BaseError, ContractFunctionRevertedError, type Hex } from 'viem'
import { getSessionKeys } from './get-session-keys.ts'

/**
 * A session at the head of the chain; undefined when the key has none.
 *
 * @param keyId - the 32 bytes that identify the key in the contract
 * @throws NO_SESSION_KEYS, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readSession(
  network: Network,
  account: Address,
  keyId: Hex,
): Promise<SessionState | undefined> {
  const address = getSessionKeys(network)
  try {
    const state = await network.call((client) =>
      client.readContract({
        address,
        abi: sessionKeysAbi,
        functionName: 'sessionOf',
        args: [account, keyId],
      }),
    )
    return decodeSessionState(state)
  } catch (error) {
    if (isNoSession(error)) return undefined
    throw error
  }
}

function isNoSession(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const revert = error.walk((cause) => cause instanceof ContractFunctionRevertedError)
  return revert instanceof ContractFunctionRevertedError && revert.data?.errorName === 'NoSession'
}

/**
 * The keys that have a session with an account, expired ones included.
 *
 * @returns key ids
 * @throws NO_SESSION_KEYS, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readKeys(network: Network, account: Address): Promise<readonly Hex[]> {
  const address = getSessionKeys(network)
  return network.call((client) =>
    client.readContract({ address, abi: sessionKeysAbi, functionName: 'keysOf', args: [account] }),
  )
}
