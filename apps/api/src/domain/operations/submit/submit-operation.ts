import { toOperation, toSignedOperation } from '@lanyard/bundler'
import { type ErrorCode, errorCodes, LanyardError } from '@lanyard/contracts'
import { type Database, findAccount, type OperationRow } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { Hash, Hex } from 'viem'
import { currentMeter } from '../../../platform/log/current-request.ts'
import { accountOf, toAnyWallet } from '../../accounts/accounts/wallet.ts'
import type { OperationDependencies } from '../dependencies.ts'
import { forgetDeployed } from '../prepare/account-state.ts'
import { bytesOfBuild } from '../prepare/build-operation.ts'
import { noScreening } from '../screening/screening.ts'
import { beginCheck, sendFirst } from './deliver.ts'
import { type SignableRow, signRow } from './sign-row.ts'

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
 * @param found - carries the authorisation to send it with, if it needs one
 * @param signature - the complete `userOp.signature`
 * @param onSigned - runs in the transaction that writes the signature, so its writes are committed with the
 * signature
 * @throws SCREENING_DENIED, SCREENING_HELD, SCREENING_UNAVAILABLE, REBUILD, OPERATION_IN_FLIGHT, INCLUSION_TIMEOUT with the hash, and the bundler's rejections
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
  if (found.state === 'built') {
    await screenRow(dependencies, found)
    await payerHooks.beforeSigned(networks.get(found.network), toSignedOperation({ ...found, signature }))
  }

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
    if (ended.deploys) forgetDeployed(networks.get(ended.network), ended.account)
    isKept = first && ended.state !== 'included' && ended.state !== 'built'
    return toSubmission(ended, watcher.failureOn(ended.network))
  } finally {
    endReservation(isKept)
  }
}

/** Nothing is asked, or read, where no screening is set. */
async function screenRow(
  { database, networks, screening }: OperationDependencies,
  row: OperationRow,
): Promise<void> {
  if (screening === noScreening) return
  const account = await findAccount(database, row.account)
  const decoded = account && accountOf(toAnyWallet(account)).decodeCalls(toOperation(row).callData)
  const [kind, name] = row.sent_by?.split(/:(.*)/s) ?? []
  await screening.ask({
    ...{ purpose: 'relay', network: networks.get(row.network), account: row.account },
    ...{ userOpHash: row.user_op_hash, calls: decoded?.ok ? decoded.calls : undefined },
    caller: kind === 'key' ? name : undefined,
  })
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

/** Seconds: about a block. The operation waits for others of its caller. */
const retryAfter = 12

/**
 * @param unseen - why nobody can see whether it is included
 */
function toSubmission(row: OperationRow, unseen?: unknown): Submission {
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
  const { message = row.reason_message, reason } =
    unseen instanceof LanyardError ? { message: unseen.message, reason: unseen.details.reason } : {}
  throw new LanyardError('INCLUSION_TIMEOUT', {
    ...(message !== null && {
      message: `The operation is not included yet: ${message} Ask for its status by userOpHash.`,
    }),
    details: {
      ...{ ...details, ...(reason !== undefined && { reason }) },
      ...(row.reason_code === 'RATE_LIMITED' && { retryAfter }),
    },
  })
}

const isErrorCode = (code: string | null): code is ErrorCode => errorCodes.some((one) => one === code)

/** The bundler's rejection, as another request with the same signature recorded it. */
export const recordedRejection = (row: OperationRow): LanyardError =>
  new LanyardError(isErrorCode(row.reason_code) ? row.reason_code : 'OPERATION_REFUSED', {
    ...(row.reason_message !== null && { message: row.reason_message }),
    details: { userOpHash: row.user_op_hash, network: String(row.network) },
  })

/**
 * Reserves space for an operation that the caller signs now. Signed operations are kept forever. One that is included
 * has paid gas for it; any other takes the caller's space.
 *
 * @returns a function that ends the reservation, to be called once with whether the row is kept without inclusion
 * @throws RATE_LIMITED when the caller's signed operations take too much space
 */
export function reserveForSigned({
  state,
  user_op,
}: Pick<OperationRow, 'state' | 'user_op'>): (isKept: boolean) => void {
  if (state !== 'built') return () => {}
  const { callData } = user_op as { readonly callData: Hex } // the service's own JSON form
  const bytes = bytesOfBuild([callData])
  const space = currentMeter()?.reserveSpace('signed', bytes)
  return (isKept) => (isKept ? space?.charge(bytes) : space?.release())
}
