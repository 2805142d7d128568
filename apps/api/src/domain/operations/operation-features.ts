import { decodeRevert } from '@lanyard/bundler'
import type { Database, OperationReference } from '@lanyard/database'
import type { Kysely, RawBuilder } from 'kysely'
import type { Hex } from 'viem'
import type { Signer } from './signers/signer.ts'

/**
 * What features register with operations, which name none of them. A hook that has to run in a transaction of an operation is
 * a {@link import('./payer.ts').PayerHooks} instead.
 */
export interface OperationFeatures {
  /** The kinds of signers of operations: those of owners, and those of features. */
  readonly signers: readonly Signer[]
  readonly nonceHolders: readonly NonceHolder[]
  readonly revertDecoders: readonly RevertDecoder[]
  readonly purgers: readonly Purger[]
  /**
   * Tables whose rows name operations: a named build is not deleted, and is signed in a transaction, since the hooks of its
   * payer write.
   */
  readonly references: readonly OperationReference[]
}

/** The account on one network whose nonces are read. */
interface NonceScope {
  readonly account: string
  readonly network: number
  readonly now: Date
}

/**
 * A query for the nonce keys that a feature has promised, with one column `nonce_key`: no build takes them. It becomes a part of
 * the statement that every build makes, and uses the values only as parameters.
 */
export type NonceHolder = (scope: NonceScope) => RawBuilder<unknown>

/**
 * Explains why a call reverts.
 *
 * @returns words without a full stop, or the data of the inner revert; undefined for an error that is not the feature's
 */
export type RevertDecoder = (
  revertData: Hex,
) => { readonly message: string } | { readonly inner: Hex } | undefined

/**
 * Deletes what a feature keeps about operations that nobody signed. Any number of processes may run it concurrently.
 *
 * @returns the number of rows that a log line counts
 */
export type Purger = (database: Kysely<Database>, now: Date) => Promise<number>

/**
 * Describes in words why an operation or a call reverts, whoever signs it. Like the reason of `decodeRevert`, the
 * text ends without a full stop.
 */
export function describeRevert(
  { revertDecoders }: Pick<OperationFeatures, 'revertDecoders'>,
  revertData: Hex,
): string {
  for (const decode of revertDecoders) {
    const decoded = decode(revertData)
    if (!decoded) continue
    return 'message' in decoded ? decoded.message : decodeRevert(decoded.inner).reason
  }
  return decodeRevert(revertData).reason
}
