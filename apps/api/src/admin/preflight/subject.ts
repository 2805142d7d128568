import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'
import type { Finding } from './finding.ts'

/** Whose keys the service has, or the environment names; only addresses matter here. */
export interface Holders {
  readonly relayers: readonly Address[]
  readonly operators: readonly Address[]
  readonly settlers: readonly Address[]
  readonly attestors: readonly Address[]
  /** Who fills the gas deposit. */
  readonly topUps?: readonly Address[]
}

/** One network, and what it is compared with. */
export interface Subject {
  readonly network: Network
  readonly holders: Holders
  readonly now: () => Date
  /** Settlement tokens; less liquidity is a warning. */
  readonly liquidityWarning: bigint
  /** Settlement tokens that an hour's gas may cost; absent: how large the gas deposit is does not matter. */
  readonly topUpPerHour?: bigint
  /** What the node was found to be able to do: what rests on the rest is not looked at, since it is said already. */
  readonly node: { readonly overrides: boolean; readonly fees: boolean }
}

/** Looks at one side of a network. What it throws becomes a finding. */
export type Check = (subject: Subject) => Promise<readonly Finding[]>
