import {
  type DelegatedDeployment,
  type DelegationState,
  type EoaOwner,
  readDelegation,
} from '@lanyard/accounts'
import { address, LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'
import { z } from 'zod'

/** An EOA that is an account itself: it runs the code of a contract (EIP-7702). */
export interface DelegatedWallet {
  /** Checksummed. */
  readonly address: Address
  /** The EOA at `address`. */
  readonly owner: EoaOwner
  readonly deployment: DelegatedDeployment
}

/** The `deployment` column of such an account. */
const storedDelegation = z.object({
  kind: z.literal('eip7702'),
  delegate: address,
  entryPoint: address,
}) satisfies z.ZodType<DelegatedDeployment>

/** Reads the `deployment` column: a manipulated database must not change what the account runs. */
export const readStoredDelegation = (stored: unknown): DelegatedDeployment => storedDelegation.parse(stored)

/** What an EOA runs on a network, and what an authorisation of it has to say. */
export interface CurrentDelegation {
  readonly state: DelegationState
  /** The EOA's nonce at the head of the chain. */
  readonly nonce: number
}

/**
 * Reads the delegation of an EOA.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readDelegationState(
  network: Network,
  { address, deployment }: DelegatedWallet,
): Promise<CurrentDelegation> {
  return network.call(async (client) => {
    const [code, nonce] = await Promise.all([
      client.getCode({ address }),
      client.getTransactionCount({ address }),
    ])
    return { state: readDelegation(code, deployment), nonce }
  })
}

/**
 * The delegation for an operation that is built now.
 *
 * @param replaces - whether the caller asks for an authorisation that replaces another contract's
 * @throws UNSUPPORTED_ACCOUNT_KIND, DELEGATED_ELSEWHERE, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function requireDelegable(
  network: Network,
  wallet: DelegatedWallet,
  replaces = false,
): Promise<CurrentDelegation> {
  const { config } = network
  if (!config.accountKinds.includes('eip7702')) {
    throw new LanyardError('UNSUPPORTED_ACCOUNT_KIND', {
      message: `${config.name} has no accounts of the kind eip7702.`,
      details: { type: 'eip7702', network: String(config.chainId) },
    })
  }
  const current = await readDelegationState(network, wallet)
  if (current.state.kind === 'contract') {
    throw new LanyardError('UNSUPPORTED_ACCOUNT_KIND', {
      message: `${wallet.address} is a contract on ${config.name}: no key can delegate it.`,
      details: { type: 'eip7702', network: String(config.chainId) },
    })
  }
  if (current.state.kind === 'delegated-elsewhere' && !replaces) {
    throw new LanyardError('DELEGATED_ELSEWHERE', {
      message: `${wallet.address} delegates to ${current.state.delegate} on ${config.name}. Send replaceDelegate: true to get the authorisation that switches it to ${wallet.deployment.delegate}.`,
      details: { delegate: current.state.delegate, needed: wallet.deployment.delegate },
    })
  }
  return current
}
