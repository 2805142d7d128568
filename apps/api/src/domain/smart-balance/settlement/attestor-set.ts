import { attestorSetAbi } from '@lanyard/onchain'
import type { Address } from 'viem'
import type { BalanceNetwork } from './networks.ts'

/** The attestors that SmartBalance on a network accepts now. */
export interface AttestorSet {
  /** Number of attestors that must agree. */
  readonly threshold: number
  /** The attestors among the given addresses. */
  readonly members: ReadonlySet<Address>
}

/**
 * Reads the attestors from the chain, never from the configuration.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readAttestorSet(
  { network, contract }: BalanceNetwork,
  candidates: readonly Address[],
): Promise<AttestorSet> {
  return network.call(async (client) => {
    const address = await client.readContract({ ...contract, functionName: 'verifier' })
    const attestorSet = { address, abi: attestorSetAbi } as const
    const [threshold, isMember] = await Promise.all([
      client.readContract({ ...attestorSet, functionName: 'threshold' }),
      client.multicall({
        allowFailure: false,
        contracts: candidates.map(
          (candidate) => ({ ...attestorSet, functionName: 'isAttestor', args: [candidate] }) as const,
        ),
      }),
    ])
    return {
      threshold: Number(threshold),
      members: new Set(candidates.filter((_, index) => isMember[index])),
    }
  })
}
