import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import type { Database, OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely, Transaction } from 'kysely'
import type { Address } from 'viem'
import { returnOrder } from '../orders/submit-order.ts'
import type { OperationDependencies } from './dependencies.ts'
import { readNonceUse } from './inclusion.ts'
import { readNoncesUsed } from './nonce-positions.ts'
import { toSignedOperation } from './signed-operation.ts'

/** Nobody answered, so nobody refused: the operation may have arrived, and is delivered again. */
const unanswered: readonly ErrorCode[] = [
  'BUNDLER_UNAVAILABLE',
  'BUNDLER_FAILED',
  'NETWORK_UNAVAILABLE',
  'NETWORK_FAILED',
  'DATABASE_UNAVAILABLE',
  'INTERNAL',
]

/** The caller can ask for the status of what was not answered, or sign again what was refused. */
function withHash(error: unknown, { user_op_hash: userOpHash }: OperationRow): unknown {
  if (!(error instanceof LanyardError)) return error
  const { code, message, details, cause } = error
  return new LanyardError(code, { message, details: { ...details, userOpHash }, cause })
}

/**
 * The first delivery of an operation, by the request that wrote its signature; `signRow` has counted it. The worker
 * may deliver it once more meanwhile, when this takes long.
 *
 * @param row - as `signRow` wrote it
 * @throws the bundler's refusal, or its not answering; in the latter case the worker goes on
 */
export const deliverFirst = (dependencies: OperationDependencies, row: OperationRow): Promise<void> =>
  handOver(dependencies, row, { isFirst: true })

/**
 * Delivers an operation that is waiting, unless another process has begun to since the row was read. May be repeated at
 * any time: the same operation again is success.
 *
 * @throws as `deliverFirst`
 */
export async function deliverAgain(dependencies: OperationDependencies, row: OperationRow): Promise<void> {
  const now = dependencies.now()
  const begun = await dependencies.database
    .updateTable('operations')
    .set({ attempts: row.attempts + 1, next_attempt_at: new Date(now.getTime() + pauseAfter(row.attempts)) })
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', '=', row.state)
    .where('attempts', '=', row.attempts)
    .returningAll()
    .executeTakeFirst()
  if (begun) await handOver(dependencies, begun, { isFirst: false })
}

interface Delivery {
  /** Nobody else can have delivered it before: what is refused now was never under way. */
  readonly isFirst: boolean
}

/**
 * Hands a signed operation to the bundler and writes down what it said: `submitting → submitted`, or, refused, back to
 * `built` (a first delivery) or on to `dropped` (it can never be included). The attempt was counted before: when the
 * process dies before the answer is written, the worker delivers again, and no refusal of that takes the signature away.
 */
async function handOver(
  { database, networks, bundlerFor, checkpoint, now }: OperationDependencies,
  row: OperationRow,
  delivery: Delivery,
): Promise<void> {
  const network = networks.get(row.network)
  try {
    await bundlerFor(row.network).deliver(toSignedOperation(row))
  } catch (error) {
    const believed = await toBelievedRefusal(network, row, error)
    if (believed) await recordRefusal(database, row, believed, { ...delivery, now: now() })
    else await recordAttempt(database, row, error, now())
    throw withHash(believed?.refusal ?? toUnanswered(error), row)
  }
  await checkpoint('submit:delivered')
  await database
    .updateTable('operations')
    .set({ state: 'submitted', next_attempt_at: nextDelivery(network, now()) })
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', 'in', ['submitting', 'submitted'])
    .execute()
  await checkpoint('submit:submitted')
}

interface BelievedRefusal {
  readonly refusal: LanyardError
  /** Another operation has used the nonce: what follows on the lane can come. */
  readonly isTaken: boolean
}

/**
 * The refusal, if it can be believed: from the configured chain, and, because of the nonce or the time, only when that
 * chain shows it.
 */
async function toBelievedRefusal(
  network: Network,
  row: OperationRow,
  error: unknown,
): Promise<BelievedRefusal | undefined> {
  if (!(error instanceof LanyardError) || unanswered.includes(error.code)) return undefined
  try {
    await network.assertChain()
    if (error.code !== 'REBUILD') return { refusal: error, isTaken: false }
    const why = await findWhyOutdated(network, row)
    return why && { refusal: error, isTaken: why === 'taken' }
  } catch {
    return undefined // whoever refused it, the network cannot be asked why
  }
}

/**
 * Why an operation can no longer be included, by the chain: it names another one with its nonce (`taken`), its account
 * has been deployed without it, or its validity is over. A bundler says the same (AA25, AA10, AA22) of an operation
 * whose own event is not visible yet, whose predecessor a reorg took, and of anything while its node lags.
 */
async function findWhyOutdated(network: Network, row: OperationRow): Promise<'taken' | 'over' | undefined> {
  // In this order: what is deployed now while the nonce is unused later was deployed by another.
  const isDeployed = row.deploys && (await readCode(network, row)) !== undefined
  const { timestamp } = await network.call((client) => client.getBlock())
  if ((await readNoncesUsed(network, [row])).size > 0) {
    return (await readNonceUse(network, [row])).taken.length > 0 ? 'taken' : undefined
  }
  return isDeployed || (row.valid_until > 0 && BigInt(row.valid_until) < timestamp) ? 'over' : undefined
}

const readCode = (network: Network, { account }: OperationRow) =>
  network.call((client) => client.getCode({ address: account as Address })) // the column holds 0x and 40 digits

/** A refusal that is not believed is as good as no answer. */
const toUnanswered = (error: unknown): unknown =>
  error instanceof LanyardError && !unanswered.includes(error.code)
    ? new LanyardError('NETWORK_FAILED', { cause: error })
    : error

/** A remote bundler may forget what it took. Our own keeps its queue in the table. */
const redeliverAfter = 30_000

const nextDelivery = ({ config }: Network, now: Date) =>
  config.bundler.kind === 'remote' ? new Date(now.getTime() + redeliverAfter) : null

/** Refusals that no funds and no waiting can mend. */
const lasting: readonly ErrorCode[] = ['REBUILD', 'INVALID_SIGNATURE', 'OPERATION_REFUSED']

/** Those that follow on the same lane need the nonce of the one that can no longer come, unless a replacement has it. */
async function dropLaterOnLane(transaction: Transaction<Database>, row: OperationRow): Promise<void> {
  await transaction
    .updateTable('operations')
    .set({
      state: 'dropped',
      reason_code: 'REBUILD',
      reason_message: `It follows ${row.user_op_hash}, which can no longer be included.`,
      next_attempt_at: null,
    })
    .where('account', '=', row.account)
    .where('network', '=', row.network)
    .where('nonce_key', '=', row.nonce_key)
    .where('nonce_sequence', '>', row.nonce_sequence)
    .where('state', 'in', ['submitting', 'submitted'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('operations as replacement')
            .select('replacement.user_op_hash')
            .where('replacement.account', '=', row.account)
            .where('replacement.network', '=', row.network)
            .where('replacement.nonce_key', '=', row.nonce_key)
            .where('replacement.nonce_sequence', '=', row.nonce_sequence)
            .where('replacement.state', 'in', ['submitting', 'submitted', 'included']),
        ),
      ),
    )
    .execute()
}

async function recordRefusal(
  database: Kysely<Database>,
  row: OperationRow,
  { refusal, isTaken }: BelievedRefusal,
  { isFirst, now }: Delivery & { readonly now: Date },
): Promise<void> {
  const reason = { reason_code: refusal.code, reason_message: refusal.message, next_attempt_at: null }
  if (isFirst && refusal.code !== 'REBUILD') return recordUnsent(database, row, reason)
  if (
    lasting.includes(refusal.code) &&
    (refusal.code === 'REBUILD' || !(await followsAnother(database, row)))
  ) {
    return database.transaction().execute(async (transaction) => {
      const dropped = await update(transaction, row)
        .set({ ...reason, state: 'dropped' })
        .returning('user_op_hash')
        .executeTakeFirst()
      if (dropped && !isTaken) await dropLaterOnLane(transaction, row)
    })
  }
  // It was under way before, so it stays: what it lacks now (funds, fees, what is before it) may come.
  await update(database, row)
    .set({ ...reason, next_attempt_at: nextAttempt(row, now) })
    .execute()
}

/** An operation as it was delivered: not included meanwhile, nor delivered by another process. */
const update = (connection: Kysely<Database>, { user_op_hash, state, attempts }: OperationRow) =>
  connection
    .updateTable('operations')
    .where('user_op_hash', '=', user_op_hash)
    .where('state', '=', state)
    .where('attempts', '=', attempts)

/**
 * Whether the account has an older operation on its way, on any lane: after a reorg that may be the one that deploys it,
 * or that adds the owner who signed this one.
 */
async function followsAnother(database: Kysely<Database>, row: OperationRow): Promise<boolean> {
  const earlier = await database
    .selectFrom('operations')
    .select('user_op_hash')
    .where('account', '=', row.account)
    .where('network', '=', row.network)
    .where('user_op_hash', '<>', row.user_op_hash)
    .where('state', 'in', ['submitting', 'submitted'])
    .where('signed_at', '<=', row.signed_at)
    .executeTakeFirst()
  return earlier !== undefined
}

/**
 * It was never under way: the build waits for another signature, and its order is reserved as before. Where a build
 * that replaces it has its nonce already, that one goes on instead.
 */
async function recordUnsent(
  database: Kysely<Database>,
  row: OperationRow,
  reason: Pick<OperationRow, 'reason_code' | 'reason_message' | 'next_attempt_at'>,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // As builds do: of one nonce there is one build.
    await transaction
      .selectFrom('accounts')
      .select('address')
      .where('address', '=', row.account)
      .forUpdate()
      .execute()
    const replacement = await transaction
      .selectFrom('operations')
      .select('user_op_hash')
      .where('account', '=', row.account)
      .where('network', '=', row.network)
      .where('nonce_key', '=', row.nonce_key)
      .where('nonce_sequence', '=', row.nonce_sequence)
      .where('state', '=', 'built')
      .where('final', '=', false)
      .executeTakeFirst()
    const unsigned = { state: 'built', signature: null, signed_at: null, signed_at_block: null } as const
    const unsent = await update(transaction, row)
      .set({ ...reason, ...(replacement ? { state: 'dropped', final: true } : unsigned) })
      .returning('user_op_hash')
      .executeTakeFirst()
    if (unsent) await returnOrder(transaction, row)
  })
}

const firstPause = 1_000
const longestPause = 60_000

/** Doubling pauses up to a minute. */
const pauseAfter = (attempts: number) => Math.min(longestPause, firstPause * 2 ** Math.min(attempts, 10))

/** @param row - with this attempt counted */
const nextAttempt = ({ attempts }: OperationRow, now: Date) =>
  new Date(now.getTime() + pauseAfter(attempts - 1))

async function recordAttempt(
  database: Kysely<Database>,
  row: OperationRow,
  error: unknown,
  now: Date,
): Promise<void> {
  await update(database, row)
    .set({
      next_attempt_at: nextAttempt(row, now),
      reason_code: error instanceof LanyardError ? error.code : 'INTERNAL',
      reason_message: 'The bundler did not answer; it is sent again.',
    })
    .execute()
}
