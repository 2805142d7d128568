import { type Call, toWireUserOperation, type UserOperation } from '@lanyard/accounts'
import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Transaction } from 'kysely'
import type { Hash } from 'viem'
import type { AnyWallet, Wallet } from '../../accounts/accounts/wallet.ts'
import type { OperationSigner } from '../operation-signer.ts'
import type { Payer } from '../payer.ts'

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

/** The account and the network of a build; by default an account for which every feature works. */
export interface BuildTarget<W extends AnyWallet = Wallet> {
  readonly wallet: W
  readonly network: Network
}

/**
 * A built operation as the interface returns it: nine strings. If the caller supplied paymasterAndData, it is
 * not repeated; otherwise, a tenth field shows that the service filled it.
 */
export function toUserOp({ operation, filledByService }: BuiltOperation) {
  const { sender, initCode, callData, paymasterAndData } = operation
  const { paymasterAndData: _brought, ...wire } = toWireUserOperation({
    ...operation,
    paymasterAndData: '0x',
  })
  return { ...wire, sender, initCode, callData, ...(filledByService && { paymasterAndData }) }
}

/** The validity bounds in an answer; bounds of 0 are left out. */
export const toValidity = ({ validAfter, validUntil }: BuiltOperation) => ({
  ...(validAfter !== 0 && { validAfter: String(validAfter) }),
  ...(validUntil !== 0 && { validUntil: String(validUntil) }),
})
