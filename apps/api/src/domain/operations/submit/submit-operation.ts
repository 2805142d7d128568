import { LanyardError } from '@lanyard/contracts'
import type { Database, OperationRow } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { Hash, Hex } from 'viem'
import type { OperationDependencies } from '../dependencies.ts'
import { beginCheck, sendFirst } from './deliver.ts'
import { recordedRejection } from './recorded-rejection.ts'
import { type SignableRow, signRow } from './sign-row.ts'
import { reserveForSigned } from './space-of-signed.ts'

export interface Submission {
  readonly userOpHash: Hash
  readonly txnHash: Hash
  readonly success: boolean
}

/**
 * Submits a signed operation and waits for its inclusion, up to a time-out. The signature is written before
 * anything is sent. If the process dies after that, the worker continues. If the caller repeats the request
 * with a signature of the same operation, it finds the existing operation and never creates a second one.
 *
 * @param found - with the authorisation to send it with, if it needs one
 * @param signature - the complete `userOp.signature`
 * @param onSigned - runs in the transaction that writes the signature, so its writes are committed with the
 * signature
 * @throws REBUILD, OPERATION_IN_FLIGHT, INCLUSION_TIMEOUT with the hash, and the bundler's rejections
 */
export async function submitOperation(
  dependencies: OperationDependencies,
  found: SignableRow,
  signature: Hex,
  onSigned?: (transaction: Transaction<Database>) => Promise<void>,
): Promise<Submission> {
  const { database, networks, watcher, payerHooks, features, now, checkpoint, inclusionTimeout } =
    dependencies
  if (found.state === 'included') return toSubmission(found)

  const checking = found.state === 'built' ? beginCheck(dependencies, { ...found, signature }) : undefined
  const [head, isAccepted] = await Promise.all([
    networks.get(found.network).head(),
    checking?.then(
      () => true,
      () => false, // `sendFirst` handles the rejection, once the signature is written
    ),
  ])
  requireTimeLeft(found, head.timestamp)
  const endReservation = reserveForSigned(found)
  let isKept = false
  try {
    await checkpoint('sign:checked')
    const { row, first } = await signRow(database, {
      row: found,
      signature,
      authorization: found.eip7702_auth ?? undefined,
      head: head.number,
      now: now(),
      isAccepted,
      payerHooks,
      features,
      onSigned,
    })
    isKept = first
    await checkpoint('submit:signed')
    if (!first && row.sign_mode === 'WEBAUTHN' && row.signature !== signature) {
      throw new LanyardError('VERIFICATION_FAILED', {
        message: 'This challenge was already used: it is valid for one assertion.',
        details: { userOpHash: row.user_op_hash },
      })
    }
    if (first && isAccepted) await checkpoint('submit:submitted')
    else if (first) await sendFirst(dependencies, row, checking)
    const ended = await watcher.wait(row, inclusionTimeout)
    isKept = first && ended.state !== 'included' && ended.state !== 'built'
    return toSubmission(ended)
  } finally {
    endReservation(isKept)
  }
}

/** Seconds before the end of an operation's validity that a bundler needs to include it. */
const inclusionMargin = 30

/**
 * Rejects an operation that waits to be sent for the first time if it would expire before inclusion: its
 * owner would wait for nothing.
 */
function requireTimeLeft({ state, valid_until, user_op_hash }: OperationRow, timestamp: bigint): void {
  if (state !== 'built' || valid_until === 0) return
  if (timestamp + BigInt(inclusionMargin) <= BigInt(valid_until)) return
  throw new LanyardError('REBUILD', {
    message: 'This operation expires too soon to be included. Build it again.',
    details: { userOpHash: user_op_hash },
  })
}

function toSubmission(row: OperationRow): Submission {
  const userOpHash = row.user_op_hash as Hash // the column holds 0x and 64 digits
  if (row.state === 'included' && row.txn_hash !== null && row.success !== null) {
    return { userOpHash, txnHash: row.txn_hash as Hash, success: row.success }
  }
  const details = { userOpHash, network: String(row.network) }
  if (row.state === 'dropped' || row.state === 'expired') {
    throw new LanyardError('REBUILD', {
      message: `This operation can no longer be included: ${row.reason_message ?? 'its nonce was used.'} Build it again.`,
      details,
    })
  }
  if (row.state === 'built') throw recordedRejection(row)
  throw new LanyardError('INCLUSION_TIMEOUT', {
    ...(row.reason_message !== null && {
      message: `The operation is not included yet: ${row.reason_message} Ask for its status by userOpHash.`,
    }),
    details,
  })
}
