import { type Bundler, decodeRevert } from '@lanyard/bundler'
import type { Database, OperationReference, OperationRow } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import type { PayerHooks } from './build-request.ts'
import type { NonceHolder } from './nonces.ts'
import type { Screening } from './screening/screening.ts'
import type { Signer } from './signers/signer.ts'

/**
 * What features register with operations, which name none of them. A hook that has to run in a transaction of an operation is
 * a {@link import('./build-request.ts').PayerHooks} instead.
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

/** The dependencies of the operation service. */
export interface OperationDependencies {
  readonly database: Kysely<Database>
  readonly networks: Networks
  /** The bundler of a configured network. */
  readonly bundlerFor: (chainId: number) => Bundler
  readonly watcher: InclusionWatcher
  readonly payerHooks: PayerHooks
  readonly features: OperationFeatures
  /** The operator's say before anything is paid, lent or sent. */
  readonly screening: Screening
  readonly now: () => Date
  readonly log: Logger
  /** Called between the steps that move money. Tests end the process there; otherwise it does nothing. */
  readonly checkpoint: (name: CheckpointName) => Promise<void>
  /** Milliseconds that submit waits for inclusion. */
  readonly inclusionTimeout: number
}

export interface InclusionWatcher {
  /**
   * Waits until a signed operation is included, dropped or expired, or until the timeout or shutdown. The
   * result is the row's state at that time. While waiting, it drives the bundler.
   */
  wait(row: OperationRow, timeout: number): Promise<OperationRow>
  /** Why the last look at a network saw no inclusions; undefined if the look succeeded. */
  failureOn(chainId: number): unknown
  /** Resolves every waiter with the current row and accepts no new ones. */
  close(): Promise<void>
}

/**
 * Points between a build and the answer to its submission where the process may die, and what the next start
 * then does. Tests kill the process at each of them, and at those of the bundler.
 */
export const checkpoints = [
  /** Nothing is written, so nothing has happened. */
  'build:estimated',
  /** The build waits for its signature, or expires. */
  'build:written',
  /** The signature is verified but not written: the caller can submit it again. */
  'sign:checked',
  /** The signature is written: the worker sends the operation to the bundler. */
  'submit:signed',
  /**
   * The bundler has the operation, but the row does not show it: the worker sends it again, which changes
   * nothing.
   */
  'submit:delivered',
  /** The worker drives the bundler and watches the chain. */
  'submit:submitted',
  /** A block includes the operation, but the row does not show it: the next pass reads it again. */
  'include:event-read',
  /** The row shows the inclusion: the worker follows it until it is final. */
  'include:recorded',
  /** A final block includes the operation, but the row does not show it: the next pass reads it again. */
  'final:block-read',
  'final:recorded',
] as const

export type CheckpointName = (typeof checkpoints)[number]
