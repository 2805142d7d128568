import { attestorSetAbi } from '@lanyard/onchain'
import type { Address } from 'viem'
import { multicallAtBlock, readOf } from '../ledger/multicall-at-block.ts'
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
 * @throws NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readAttestorSet(
  { network, contract }: BalanceNetwork,
  candidates: readonly Address[],
): Promise<AttestorSet> {
  const head = await network.quorum.head()
  const [[address]] = await multicallAtBlock(network, head, [[readOf(contract, 'verifier', [])]])
  const attestorSet = { address, abi: attestorSetAbi } as const
  const [[threshold], isMember] = await multicallAtBlock(network, head, [
    [readOf(attestorSet, 'threshold', [])],
    candidates.map((candidate) => readOf(attestorSet, 'isAttestor', [candidate])),
  ])
  return {
    threshold: Number(threshold),
    members: new Set(candidates.filter((_, index) => isMember[index])),
  }
}
