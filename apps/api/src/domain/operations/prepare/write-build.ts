import { randomUUID } from 'node:crypto'
import { getUserOperationHash, toWireUserOperation, type UserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { type Database, insertBuild, insertPlainBuild, type NewOperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely, Transaction } from 'kysely'
import type { Hex } from 'viem'
import { type AnyWallet, accountOf } from '../../accounts/accounts/wallet.ts'
import { type BuildRequest, type BuiltOperation, type Consent, ConsentOutdated } from '../build-request.ts'
import type { OperationDependencies } from '../dependencies.ts'
import { type NoncePosition, readNonceUse, toNonce } from '../nonces.ts'
import { firstOwnerSigner } from '../signers/find-signer.ts'
import type { Validity } from '../signers/signer.ts'
import type { EstimatedOperation } from './estimate.ts'
import {
  chooseNonce,
  confirmNonce,
  type NonceReservation,
  type ReserveRequest,
  reserveNonce,
} from './reserve-nonce.ts'

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
    const unpaid = toUnpaid(estimated, reservation, request)
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

const toNonceRequest = (
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
function toUnpaid(
  estimated: EstimatedOperation,
  reservation: NonceReservation,
  { wallet, payer, calls, signer = firstOwnerSigner(wallet) }: BuildRequest,
): UserOperation {
  const { signature: _stub, ...operation } = estimated.operation
  const { maxFeePerGas, maxPriorityFeePerGas } = reservation.fees
  const unpaid = { ...operation, nonce: toNonce(reservation), maxFeePerGas, maxPriorityFeePerGas }
  if (!payer.prepends) return unpaid
  return { ...unpaid, callData: signer.encodeCallData([...payer.prepends.final(unpaid), ...calls], wallet) }
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

interface PaidOperation extends Pick<Consent, 'validUntil'> {
  readonly unpaid: UserOperation
  readonly paymasterAndData: Hex
}

/** @throws what the signer throws for an operation that it must not sign */
function toBuilt(
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

/** Milliseconds within which a build can be signed. */
const buildLifetime = 10 * 60_000

/** The hashes that identify an operation and that its owner signs. */
export function hashesOf(
  operation: UserOperation,
  wallet: AnyWallet,
  { chainId }: Network,
  validity: Validity,
) {
  const { entryPoint } = wallet.deployment
  return {
    userOpHash: getUserOperationHash(operation, { chainId, entryPoint }),
    operationHash: accountOf(wallet).hashOperation(operation, { chainId, ...validity }),
  }
}

/** The row of a build. */
function toRow(
  { wallet, network, calls, signer = firstOwnerSigner(wallet), replaces, builtBy }: BuildRequest,
  { key, sequence }: NoncePosition,
  { operation, userOpHash, operationHash, validAfter, validUntil }: BuiltOperation,
  now: Date,
): NewOperationRow {
  return {
    user_op_hash: userOpHash,
    account: wallet.address.toLowerCase(),
    network: network.chainId,
    entry_point: wallet.deployment.entryPoint.toLowerCase(),
    nonce_key: key,
    nonce_sequence: sequence,
    user_op: toWireUserOperation(operation),
    safe_op_hash: operationHash,
    valid_after: validAfter,
    valid_until: validUntil,
    sign_mode: signer.signMode,
    session_key: signer.stored ?? null,
    value: calls.reduce((sum, { value }) => sum + value, 0n),
    deploys: operation.initCode !== '0x',
    replaces: replaces ?? null,
    built_by: builtBy,
    state: 'built',
    built_at: now,
    build_expires_at: new Date(now.getTime() + buildLifetime),
  }
}

/** Milliseconds. Longer than any signer may take: SIGNER_TIMEOUT is at most one minute. */
const holdLifetime = 90_000

interface Hold {
  readonly account: string
  readonly network: number
  readonly key: bigint
  readonly builtBy: string
}

/**
 * Holds the nonce of a build while its payer signs, so that parallel builds of the same caller get other
 * lanes.
 */
async function holdNonce(
  transaction: Transaction<Database>,
  { account, network, key, builtBy }: Hold,
  now: Date,
): Promise<string> {
  const holdId = randomUUID()
  const expires_at = new Date(now.getTime() + holdLifetime)
  await transaction
    .insertInto('nonce_holds')
    .values({ hold_id: holdId, account, network, nonce_key: key, built_by: builtBy, expires_at })
    .execute()
  return holdId
}

async function releaseHold(connection: Kysely<Database>, holdId: string): Promise<void> {
  await connection.deleteFrom('nonce_holds').where('hold_id', '=', holdId).execute()
}

/** A build that is written by one statement, without a lock. */
export interface PlainBuild {
  /** @returns undefined if the account has changed since, or a rule forbids the build: see `writeBuild` */
  write(estimated: EstimatedOperation): Promise<BuiltOperation | undefined>
}

/**
 * Reads the use of the account's nonces while the chain is read. If nothing else is written with the build,
 * and the account does not change meanwhile, its row is then all that remains to be written.
 *
 * @returns undefined for a build that needs a transaction
 */
export function startPlainBuild(
  dependencies: OperationDependencies,
  request: BuildRequest,
): PlainBuild | undefined {
  const { wallet, network, payer, signer, builtBy, replaces, onPersisted } = request
  if (!payer.isVerbatim || replaces !== undefined || onPersisted) return undefined
  const { database } = dependencies
  const account = wallet.address.toLowerCase()
  const reading = readNonceUse(database, {
    nonceHolders: dependencies.features.nonceHolders,
    account,
    network: network.chainId,
    builtBy,
    session: signer?.position,
    now: dependencies.now(),
  })
  reading.catch(() => {}) // nobody may ask for it

  return {
    async write(estimated) {
      try {
        const now = dependencies.now()
        const use = await reading
        const reservation = chooseNonce(use, toNonceRequest(dependencies, request, estimated, now))
        const unpaid = toUnpaid(estimated, reservation, request)
        const paid = { unpaid, paymasterAndData: payer.draft, validUntil: 0 }
        const built = toBuilt(request, paid)
        const row = toRow(request, reservation, built, now)
        return (await insertPlainBuild(database, { row, version: use.version })) ? built : undefined
      } catch (error) {
        // What was read without the lock may be outdated.
        if (error instanceof LanyardError) return undefined
        throw error
      }
    },
  }
}
