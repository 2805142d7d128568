import type { UserOperation } from '@lanyard/accounts'
import type { GasEstimate } from '@lanyard/bundler'
import type { Database, OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Transaction } from 'kysely'
import type { Hash, Hex } from 'viem'
import type { NoncePosition } from './lanes.ts'

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
