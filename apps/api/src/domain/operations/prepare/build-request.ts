import type { Call, UserOperation } from '@lanyard/accounts'
import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { Hash } from 'viem'
import type { AnyWallet } from '../../accounts/accounts/wallet.ts'
import type { OperationSigner } from '../operation-signer.ts'
import type { Payer } from '../payer.ts'
import type { BuildTarget } from './build-target.ts'

export interface BuildRequest extends BuildTarget<AnyWallet> {
  readonly calls: readonly Call[]
  readonly payer: Payer
  /** Absent: the account's first owner. */
  readonly signer?: OperationSigner | undefined
  /** The caller that requests the build, as `builderOf` names it. */
  readonly builtBy: string
  /** A pending operation to replace. */
  readonly replaces?: Hash | undefined
  readonly allowRevert?: boolean | undefined
  /** Number of calls that the service put in front of the caller's calls. */
  readonly prepended?: number | undefined
  /** Runs in the transaction that writes the row, for data that must exist exactly when the row does. */
  readonly onPersisted?:
    | ((transaction: Transaction<Database>, built: BuiltOperation) => Promise<void>)
    | undefined
}

export interface BuiltOperation {
  readonly operation: UserOperation
  readonly userOpHash: Hash
  /** The hash that the owner signs. */
  readonly safeOperationHash: Hash
  /** Unix seconds, part of the signed data; 0: no lower bound. */
  readonly validAfter: number
  /** Unix seconds, part of the signed data; 0: no expiry. */
  readonly validUntil: number
  /** True when the service, not the caller, supplies `paymasterAndData`. */
  readonly filledByService: boolean
}
