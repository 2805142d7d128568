import {
  type Call,
  type SignedUserOperation,
  toWireUserOperation,
  type UserOperation,
} from '@lanyard/accounts'
import type { GasEstimate } from '@lanyard/bundler'
import type { Database, OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Transaction } from 'kysely'
import type { Hash, Hex, StateOverride } from 'viem'
import type { Wallet } from '../accounts/accounts/kind.ts'
import type { AnyWallet } from '../accounts/accounts/wallet.ts'
import type { NoncePosition } from './nonces.ts'
import type { OperationSigner } from './signers/signer.ts'

/** The terms of a payer's consent. */
export interface Consent {
  /**
   * v0.7, final: it is part of the data that the owner signs. It is a function when the payer has to sign.
   * The function is called outside any transaction, since the signer may be a remote service.
   */
  readonly paymasterAndData: Hex | (() => Promise<Hex>)
  /** Unix seconds, the last one in which the operation may be included; 0: no expiry. */
  readonly validUntil: number
}

/**
 * The terms have changed since the payer's consent: the signature is discarded, and the payer has to consent
 * again.
 */
export class ConsentOutdated extends Error {
  override readonly name = 'ConsentOutdated'
}

/** Who pays for an operation's gas, and on which conditions. */
export interface Payer {
  /** The service wrote `paymasterAndData` itself, so its answers must include it. */
  readonly filledByService: boolean
  /** True: it uses `draft` unchanged and keeps no records, so that its hooks do nothing. */
  readonly isVerbatim?: boolean
  /** The only nonce that it pays for; absent: any. */
  readonly position?: NoncePosition | undefined
  /** False: it does not pay for calls that would revert, even if the caller allows reverts. */
  readonly maySponsorReverts: boolean
  /** True: it pays only for gas that does not depend on who sends the operation (`Bundler.estimate`). */
  readonly mustBeSteady?: boolean
  /** True: other bundlers may send the operation, and have their own need of gas. */
  readonly anyBundler?: boolean
  /** Units of gas that calls and `postOp` may have beyond the estimate, because the account pays for them. */
  readonly spareGas?: { readonly call: bigint; readonly postOp: bigint }
  /** True: the operation offers the least tip that the network takes, because our relayer adds the rest (`bundleFees`). */
  readonly offersMinTip?: boolean
  /**
   * Asks the operator's screening, once, before anything is written for a build; an estimate does not ask. Absent: nothing is
   * to be asked.
   *
   * @throws SCREENING_DENIED, SCREENING_HELD, SCREENING_UNAVAILABLE
   */
  readonly screen?: () => Promise<void>
  /** Unix seconds, as in `Consent`, for the draft. */
  readonly validUntil: number
  /** `paymasterAndData` for the estimate, as long as the final value; `0x`: the account pays itself. */
  readonly draft: Hex
  /** Gas to add to the estimate: of the final bytes as call data, or that the estimate leaves out; absent: none. */
  readonly preVerificationShortfall?: bigint
  /** The draft with the estimated gas. */
  readonly withGas: (estimate: GasEstimate) => Hex
  /** Called in the transaction that reserves the nonce, when gas and fees are final. It does not sign. */
  readonly consent: (transaction: Transaction<Database>, operation: UserOperation) => Promise<Consent>
  /**
   * Called when the consent had to be signed, in the transaction that writes the operation, because the terms
   * may have changed since. Its writes and the operation are committed together. No caller gets the signature
   * before that.
   *
   * @throws ConsentOutdated, and what `consent` throws
   */
  readonly confirm: (
    transaction: Transaction<Database>,
    operation: UserOperation,
    consent: Pick<Consent, 'validUntil'>,
  ) => Promise<void>
  /**
   * Calls that the payer needs in front of the caller's: for the estimate, and once gas and fees are final. The final ones
   * cost no more as call data.
   */
  readonly prepends?: {
    readonly draft: readonly Call[]
    readonly final: (operation: UserOperation) => readonly Call[]
  }
  /**
   * Checks the estimated operation before anything is written.
   *
   * @throws PAYMASTER_REFUSED
   */
  readonly requirePayable?: (operation: SignedUserOperation, stateOverride: StateOverride) => Promise<void>
  /** Called in the transaction that writes the operation, after its row is inserted. */
  readonly record: (
    transaction: Transaction<Database>,
    built: { readonly operation: UserOperation; readonly userOpHash: Hash },
  ) => Promise<void>
}

/**
 * The records that payers keep about an operation. Each hook runs in the transaction that changes the
 * operation's row.
 */
export interface PayerHooks {
  /**
   * Called when the owner's signature is written. It is required only for operations of orders.
   *
   * @throws REBUILD when the operation is no longer paid for
   */
  readonly onSigned: (transaction: Transaction<Database>, row: OperationRow) => Promise<void>
  /**
   * Called before an operation is signed, outside of any transaction.
   *
   * @throws PAYMASTER_REFUSED when the payer no longer pays
   */
  readonly beforeSigned: (network: Network, operation: SignedUserOperation) => Promise<void>
  /**
   * Called when the bundler rejected the operation before sending it: the operation waits for a signature
   * again.
   */
  readonly onUnsent: (transaction: Transaction<Database>, row: OperationRow) => Promise<void>
  /**
   * Unix seconds, the last one in which the payer allows inclusion of an operation with these bytes; 0: no
   * expiry.
   */
  readonly validUntil: (network: Network, paymasterAndData: Hex) => number
}

/**
 * Finds the payer when it is needed. `callData` is passed when it differs from the call data of an owner's
 * operation.
 */
export type FindPayer = (callData?: Hex) => Promise<Payer>

/** The account itself (`0x`), or a paymaster whose bytes the caller supplied: they are used unchanged. */
export const verbatimPayer = (paymasterAndData: Hex): Payer => ({
  filledByService: false,
  isVerbatim: true,
  maySponsorReverts: true,
  validUntil: 0,
  draft: paymasterAndData,
  withGas: () => paymasterAndData,
  consent: async () => ({ paymasterAndData, validUntil: 0 }),
  confirm: async () => {},
  record: async () => {},
})

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
  readonly operationHash: Hash
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
