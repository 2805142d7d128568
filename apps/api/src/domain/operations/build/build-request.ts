import type { Call, UserOperation } from '@lanyard/accounts'
import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { Hash } from 'viem'
import type { OperationSigner } from '../operation-signer.ts'
import type { Payer } from '../payer.ts'
import type { BuildTarget } from './build-target.ts'

export interface BuildRequest extends BuildTarget {
  readonly calls: readonly Call[]
  readonly payer: Payer
  readonly signMode: 'ECDSA' | 'WEBAUTHN' | 'SESSION_KEY'
  /** Absent: the account's first owner. */
  readonly signer?: OperationSigner | undefined
  /** Who asks for it, as `builderOf` names them. */
  readonly builtBy: string
  /** An operation that is not included. */
  readonly replaces?: Hash | undefined
  readonly allowRevert?: boolean | undefined
  /** How many of the calls the caller did not send: the service put them in front. */
  readonly prepended?: number | undefined
  /** Runs in the transaction that writes the row, for what must be there exactly when the row is. */
  readonly onPersisted?:
    | ((transaction: Transaction<Database>, built: BuiltOperation) => Promise<void>)
    | undefined
}

export interface BuiltOperation {
  readonly operation: UserOperation
  readonly userOpHash: Hash
  /** What the owner signs. */
  readonly safeOperationHash: Hash
  /** Unix seconds, signed with it; 0: from the beginning. */
  readonly validAfter: number
  /** Unix seconds, signed with it; 0: without end. */
  readonly validUntil: number
  /** `paymasterAndData` is the service's, not the caller's. */
  readonly filledByService: boolean
}
