import type { UserOperation } from '@lanyard/accounts'
import type { GasEstimate } from '@lanyard/bundler'
import type { Database, OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Transaction } from 'kysely'
import type { Hash, Hex } from 'viem'
import type { NoncePosition } from './lanes.ts'

/** What a payer agreed to. */
export interface Consent {
  /**
   * v0.7, final: it is part of what the owner signs. A function where somebody has to sign for it: called outside of any
   * transaction, since a signer may be as far away as a network is.
   */
  readonly paymasterAndData: Hex | (() => Promise<Hex>)
  /** Unix seconds, the last one in which the operation may be included; 0: without end. */
  readonly validUntil: number
}

/** The terms have changed since the payer agreed to them: the signature is discarded, and the payer is asked again. */
export class ConsentOutdated extends Error {
  override readonly name = 'ConsentOutdated'
}

/** Who pays for an operation's gas, and on which conditions. */
export interface Payer {
  /** The service wrote `paymasterAndData` itself, so its answers must show it. */
  readonly filledByService: boolean
  /** The only nonce that it pays for; absent: any. */
  readonly position?: NoncePosition | undefined
  /** False: it does not pay for calls that would revert, whatever the caller allows. */
  readonly maySponsorReverts: boolean
  /** Unix seconds, as in `Consent`: what the draft has. */
  readonly validUntil: number
  /** `paymasterAndData` to estimate with, as long as the final one; `0x`: the account pays itself. */
  readonly draft: Hex
  /** Units of gas by which the final bytes may cost more as call data than the draft's; absent: none. */
  readonly preVerificationShortfall?: bigint
  /** The draft with the gas that was estimated for it. */
  readonly withGas: (estimate: GasEstimate) => Hex
  /** RoutePolicy in the transaction that reserves the nonce, when gas and fees are final, too. It signs nothing. */
  readonly consent: (transaction: Transaction<Database>, operation: UserOperation) => Promise<Consent>
  /**
   * Where the consent had to be signed: asked in the transaction that writes the operation, since time has passed. What
   * it writes and the operation are written together or not at all, and before that nobody gets the signature.
   *
   * @throws ConsentOutdated, and what `consent` throws
   */
  readonly confirm: (
    transaction: Transaction<Database>,
    operation: UserOperation,
    consent: Pick<Consent, 'validUntil'>,
  ) => Promise<void>
  /** In the transaction that writes the operation, once its row is there to refer to. */
  readonly record: (
    transaction: Transaction<Database>,
    built: { readonly operation: UserOperation; readonly userOpHash: Hash },
  ) => Promise<void>
}

/** What payers keep beside an operation's row; each runs in the transaction that changes the row. */
export interface PayerHooks {
  /**
   * The owner's signature is written. Called for operations of orders; for others it may be left out.
   *
   * @throws REBUILD when the operation is no longer paid for
   */
  readonly onSigned: (transaction: Transaction<Database>, row: OperationRow) => Promise<void>
  /** The bundler refused the operation before it went out: it waits for a signature again. */
  readonly onUnsent: (transaction: Transaction<Database>, row: OperationRow) => Promise<void>
  /** Unix seconds, the last one in which the payer lets an operation with these bytes be included; 0: without end. */
  readonly validUntil: (network: Network, paymasterAndData: Hex) => number
}

/** Finds who pays, once it is needed. `callData`: where it is not what an owner's operation makes of the calls. */
export type FindPayer = (callData?: Hex) => Promise<Payer>

/** The account itself (`0x`), or a paymaster whose bytes the caller brought: they are used as they are. */
export const verbatimPayer = (paymasterAndData: Hex): Payer => ({
  filledByService: false,
  maySponsorReverts: true,
  validUntil: 0,
  draft: paymasterAndData,
  withGas: () => paymasterAndData,
  consent: async () => ({ paymasterAndData, validUntil: 0 }),
  confirm: async () => {},
  record: async () => {},
})
