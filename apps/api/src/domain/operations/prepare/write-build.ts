import type { UserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { type Database, insertBuild } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { Hex } from 'viem'
import type { OperationDependencies } from '../dependencies.ts'
import { toNonce } from '../lanes.ts'
import { type Consent, ConsentOutdated } from '../payer.ts'
import { firstOwnerSigner } from '../signers/owner-signers.ts'
import type { BuildRequest, BuiltOperation } from './build-request.ts'
import { hashesOf, toRow } from './build-row.ts'
import type { EstimatedOperation } from './estimate.ts'
import { holdNonce, releaseHold } from './nonce-holds.ts'
import { confirmNonce, type NonceReservation, type ReserveRequest, reserveNonce } from './reserve-nonce.ts'

/** Maximum number of attempts when other transactions keep changing the terms. */
const maxAttempts = 4

/**
 * Chooses a nonce, gets the payer's consent and writes the build, in one transaction. If the payer has to
 * sign, there are two transactions: the first chooses the nonce and gets the consent, then the payer signs
 * while no lock is held, and the second checks that everything still holds before it writes. No caller gets a
 * signature before the build is written, so a signature that comes too late, or whose process dies, has no
 * effect.
 *
 * @throws what `reserveNonce`, the signer and the payer throw
 */
export async function writeBuild(
  dependencies: OperationDependencies,
  request: BuildRequest,
  estimated: EstimatedOperation,
): Promise<BuiltOperation> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      return await tryToWrite(dependencies, request, estimated)
    } catch (error) {
      if (!(error instanceof ConsentOutdated)) throw error
    }
  }
  throw new LanyardError('OPERATION_IN_FLIGHT', {
    message: 'Other operations of this account were built at the same time. Build it again.',
  })
}

async function tryToWrite(
  dependencies: OperationDependencies,
  request: BuildRequest,
  estimated: EstimatedOperation,
): Promise<BuiltOperation> {
  const { database } = dependencies
  const { payer } = request
  const begun = await database.transaction().execute(async (transaction) => {
    const now = dependencies.now()
    const nonceRequest = toNonceRequest(dependencies, request, estimated, now)
    const reservation = await reserveNonce(transaction, nonceRequest)
    const unpaid = toUnpaid(estimated, reservation)
    const consent = await payer.consent(transaction, unpaid)
    const { paymasterAndData, validUntil } = consent
    if (typeof paymasterAndData === 'string') {
      const paid = { unpaid, paymasterAndData, validUntil }
      return { built: await write(transaction, request, reservation, paid, now) }
    }
    const hold = await holdNonce(transaction, { ...nonceRequest, key: reservation.key }, now)
    return { signing: { reservation, unpaid, consent, hold, sign: paymasterAndData } }
  })
  if (!begun.signing) return begun.built

  const { reservation, unpaid, consent, hold, sign } = begun.signing
  return releasing(dependencies, hold, async () => {
    const paymasterAndData = await sign()
    return database.transaction().execute(async (transaction) => {
      const now = dependencies.now()
      await releaseHold(transaction, hold)
      const confirmed = await confirmNonce(
        transaction,
        toNonceRequest(dependencies, request, estimated, now),
        reservation,
      )
      await payer.confirm(transaction, unpaid, consent)
      const paid = { unpaid, paymasterAndData, validUntil: consent.validUntil }
      return write(transaction, request, confirmed, paid, now)
    })
  })
}

export const toNonceRequest = (
  { features: { nonceHolders } }: Pick<OperationDependencies, 'features'>,
  { wallet, network, payer, signer, replaces, builtBy }: BuildRequest,
  { state, fees }: EstimatedOperation,
  now: Date,
): ReserveRequest => ({
  nonceHolders,
  account: wallet.address.toLowerCase(),
  network: network.chainId,
  state,
  fees,
  builtBy,
  replaces,
  position: payer.position,
  session: signer?.position,
  now,
})

/** The operation without its paymaster fields. */
export function toUnpaid(estimated: EstimatedOperation, reservation: NonceReservation): UserOperation {
  const { signature: _stub, ...operation } = estimated.operation
  const { maxFeePerGas, maxPriorityFeePerGas } = reservation.fees
  return { ...operation, nonce: toNonce(reservation), maxFeePerGas, maxPriorityFeePerGas }
}

/** Releases a hold as soon as its build fails: a failed transaction rolls back its own release. */
async function releasing<T>(
  { database, log }: OperationDependencies,
  hold: string,
  use: () => Promise<T>,
): Promise<T> {
  try {
    return await use()
  } catch (error) {
    await releaseHold(database, hold).catch((cause: unknown) =>
      log.warn({ err: cause }, 'could not release the reservation of a build; it expires by itself'),
    )
    throw error
  }
}

export interface PaidOperation extends Pick<Consent, 'validUntil'> {
  readonly unpaid: UserOperation
  readonly paymasterAndData: Hex
}

/** @throws what the signer throws for an operation that it must not sign */
export function toBuilt(
  { wallet, network, payer, signer = firstOwnerSigner(wallet) }: BuildRequest,
  { unpaid, paymasterAndData, validUntil }: PaidOperation,
): BuiltOperation {
  const operation: UserOperation = { ...unpaid, paymasterAndData }
  signer.requireAllowed?.(operation)
  const validity = signer.validityOf({ validUntil })
  return {
    operation,
    ...hashesOf(operation, wallet, network, validity),
    ...validity,
    filledByService: payer.filledByService,
  }
}

async function write(
  transaction: Transaction<Database>,
  request: BuildRequest,
  reservation: NonceReservation,
  paid: PaidOperation,
  now: Date,
): Promise<BuiltOperation> {
  const written = toBuilt(request, paid)
  await insertBuild(transaction, toRow(request, reservation, written, now))
  await request.payer.record(transaction, written)
  await request.onPersisted?.(transaction, written)
  return written
}
