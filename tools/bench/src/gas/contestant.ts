import type { Call, UserOperation } from '@lanyard/accounts'
import type { Address, Hex } from 'viem'
import type { Bundler } from './bundler.ts'

/** An account of one implementation, with an owner that signs deterministically. */
interface Contestant {
  readonly sender: Address
  /** factory ‖ factory data. */
  readonly initCode: Hex
  encodeCalls(calls: readonly Call[]): Promise<Hex>
  /** A signature as long as the real one, with which preVerificationGas is computed. */
  readonly stubSignature: Hex
  sign(operation: UserOperation): Promise<Hex>
}

/** Creates the account on a chain, and may deploy contracts that it needs. */
export type Enter = (chain: Bundler) => Promise<Contestant>
