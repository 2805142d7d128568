import { accountReads } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { sessionKeysAbi } from '@lanyard/onchain'
import { decodeSessionState, type SessionState } from '@lanyard/session-keys'
import { type Address, BaseError, ContractFunctionRevertedError, type Hex, isAddressEqual } from 'viem'
import type { Wallet } from '../accounts/accounts/kind.ts'

/**
 * The SessionKeys contract of a network.
 *
 * @throws NO_SESSION_KEYS
 */
export function getSessionKeys({ chainId, config }: Network): Address {
  if (config.sessionKeys) return config.sessionKeys
  throw new LanyardError('NO_SESSION_KEYS', {
    message: `${config.name} has no session keys.`,
    details: { network: chainId },
  })
}

/** How SessionKeys is attached to an account. Both lists are linked lists on chain and keep their order. */
interface Attachment {
  readonly owners: readonly Address[]
  readonly modules: readonly Address[]
  readonly isOwner: boolean
  readonly isModule: boolean
  /** Of the head of the chain, Unix seconds. */
  readonly timestamp: number
}

/**
 * Reads the owners and modules at the head of the chain. An account that is not deployed has no attachment.
 *
 * @throws NO_SESSION_KEYS, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readAttachment(network: Network, { address }: Wallet): Promise<Attachment> {
  const contract = getSessionKeys(network)
  return network.call(async (client) => {
    const [code, block] = await Promise.all([client.getCode({ address }), client.getBlock()])
    const timestamp = Number(block.timestamp)
    if (code === undefined) return { owners: [], modules: [], isOwner: false, isModule: false, timestamp }
    const reads = accountReads(address)
    const [owners, [modules]] = await Promise.all([
      client.readContract(reads.owners),
      client.readContract(reads.modules),
    ])
    const isOurs = (other: Address) => isAddressEqual(other, contract)
    return { owners, modules, isOwner: owners.some(isOurs), isModule: modules.some(isOurs), timestamp }
  })
}

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
