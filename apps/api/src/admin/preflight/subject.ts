import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'
import type { Finding } from './finding.ts'

/** The holders of the keys that the service has or the environment names; only their addresses are needed. */
export interface Holders {
  readonly relayers: readonly Address[]
  readonly operators: readonly Address[]
  readonly settlers: readonly Address[]
  readonly attestors: readonly Address[]
  /** The accounts that fill the gas deposit. */
  readonly topUps?: readonly Address[]
  /** The accounts that fill up relayers. Absent: another process has that task. */
  readonly treasuries?: readonly Address[]
}

/** One network and the expected state. */
export interface Subject {
  readonly network: Network
  readonly holders: Holders
  readonly now: () => Date
  /** Settlement tokens; less liquidity is a warning. */
  readonly liquidityWarning: bigint
  /**
   * Maximum cost of an hour's gas in settlement tokens; absent: the size of the gas deposit is not checked.
   */
  readonly topUpPerHour?: bigint
  /** PRICE_SOURCE. Absent: no prices are shown. */
  readonly priceSource?: string
  /**
   * The features that the node was found to have: checks that need a missing feature are skipped, since it is
   * reported already.
   */
  readonly node: { readonly overrides: boolean; readonly fees: boolean }
}

/** Checks one aspect of a network. An error that it throws becomes a finding. */
export type Check = (subject: Subject) => Promise<readonly Finding[]>
