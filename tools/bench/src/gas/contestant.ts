import type { Call, UserOperation } from '@lanyard/accounts'
import type { Address, Hex, SignedAuthorization } from 'viem'
import type { Bundler } from './bundler.ts'

/** An account of one implementation, with an owner that signs deterministically. */
interface Contestant {
  readonly sender: Address
  /** factory ‖ factory data. */
  readonly initCode: Hex
  encodeCalls(calls: readonly Call[]): Promise<Hex>
  /** A stub as long as the real signature, used to compute preVerificationGas. */
  readonly stubSignature: Hex
  sign(operation: UserOperation): Promise<Hex>
  /** Default: v0.7. */
  readonly entryPoint?: Address
  /** What the first operation is sent with. Default: nothing. */
  authorize?(): Promise<SignedAuthorization>
}

/** Creates the account on a chain. It may deploy contracts that it needs. */
export type Enter = (chain: Bundler) => Promise<Contestant>
