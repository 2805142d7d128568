import { raisedFees } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import { type Database, lockAccount } from '@lanyard/database'
import type { Fees } from '@lanyard/networks'
import type { Transaction } from 'kysely'
import { ConsentOutdated } from '../build-request.ts'
import {
  chooseLane,
  type NonceHolder,
  type NoncePosition,
  type NonceUse,
  readNonceUse,
  type UnresolvedOperation,
} from '../nonces.ts'
import type { AccountState } from './account-state.ts'

interface LaneRequest {
  readonly nonceHolders: readonly NonceHolder[]
  readonly account: string
  readonly network: number
  readonly state: AccountState
  /** The caller whose unsigned builds count. */
  readonly builtBy: string
  readonly now: Date
}

export interface ReserveRequest extends LaneRequest {
  readonly fees: Fees
  /** userOpHash of the operation whose nonce is reused. */
  readonly replaces: string | undefined
  /** The nonce that the payer requires; absent when any lane may be used. */
  readonly position?: NoncePosition | undefined
  /** The next nonce of the session that signs, at the head of the chain. A session has its own nonce key. */
  readonly session?: NoncePosition | undefined
}

export interface NonceReservation extends NoncePosition {
  readonly fees: Fees
}

/**
 * Chooses the nonce of a new build. Must run in the transaction that inserts the build: the account's row is
 * locked, so that concurrent builds of one caller see each other on every replica. Until the build is signed,
 * it does not own the nonce.
 *
 * @param lane - used if it is free
 * @throws TOO_MANY_BUILDS, OPERATION_IN_FLIGHT, LANES_EXHAUSTED, NOT_REPLACEABLE
 */
export async function reserveNonce(
  transaction: Transaction<Database>,
  request: ReserveRequest,
  lane?: bigint,
): Promise<NonceReservation> {
  const { account, fees, replaces, position, session } = request
  await lockAccount(transaction, account)
  const use = await readNonceUse(transaction, request)
  if (replaces === undefined) return chooseNonce(use, request, lane)

  requireRoom(use, request.now)
  const replaced =
    use.unresolved.find(({ user_op_hash }) => user_op_hash === replaces) ??
    (await findBuild(transaction, request, replaces))
  const taken = takeOver(use.unresolved, replaced, fees)
  if (session && taken.key !== session.key) {
    throw new LanyardError('NOT_REPLACEABLE', {
      message: 'A session can replace only its own operations.',
    })
  }
  if (!position || isAt(position)(taken)) return taken
  throw new LanyardError('NOT_REPLACEABLE', {
    message: 'An order has its own nonce, so it can only replace an operation of the same order.',
  })
}

/**
 * Chooses the nonce of a build that replaces nothing.
 *
 * @param lane - used if it is free
 * @throws TOO_MANY_BUILDS, OPERATION_IN_FLIGHT, LANES_EXHAUSTED
 */
export function chooseNonce(
  use: NonceUse,
  { state, fees, position, session, now }: ReserveRequest,
  lane?: bigint,
): NonceReservation {
  requireRoom(use, now)
  const { unresolved, next } = use
  if (session) {
    const included = next.get(session.key) ?? 0n
    const sequence = session.sequence > included ? session.sequence : included
    return { ...takePosition(unresolved, { key: session.key, sequence }), fees }
  }
  if (position) {
    requireNotDeploying(state, unresolved)
    return { ...takePosition(unresolved, position), fees }
  }
  return { ...takeFreeLane(state, use, lane), fees }
}

/**
 * Takes a reserved nonce again after the payer has signed for it. Must run in the transaction that inserts
 * the build, like {@link reserveNonce}.
 *
 * @param reserved - what `reserveNonce` returned for the same request
 * @throws ConsentOutdated when the nonce or the fees had to change since; also what `reserveNonce` throws
 */
export async function confirmNonce(
  transaction: Transaction<Database>,
  request: ReserveRequest,
  reserved: NonceReservation,
): Promise<NonceReservation> {
  const again = await reserveNonce(transaction, request, reserved.key)
  const isSame =
    isAt(reserved)(again) &&
    again.fees.maxFeePerGas === reserved.fees.maxFeePerGas &&
    again.fees.maxPriorityFeePerGas === reserved.fees.maxPriorityFeePerGas
  if (isSame) return again
  throw new ConsentOutdated()
}

function takeFreeLane(
  state: AccountState,
  { unresolved, promised, builds, next }: NonceUse,
  preferred?: bigint,
): NoncePosition {
  requireNotDeploying(state, unresolved)
  return chooseLane({
    taken: new Set([...promised, ...unresolved.map(({ nonce_key }) => nonce_key)]),
    builds,
    nextSequence(lane) {
      // The chain may have been read before the inclusion of an operation that the table already records.
      const onChain = state.sequences[Number(lane)] ?? 0n
      const included = next.get(lane) ?? 0n
      return onChain > included ? onChain : included
    },
    preferred,
  })
}

/**
 * Chooses a nonce that a feature promises before anything is built with it. Must run in the transaction that writes the
 * promise, under the lock of the account's row, and after a replaced promise has ended.
 *
 * @throws OPERATION_IN_FLIGHT, LANES_EXHAUSTED
 */
export async function reservePromisedNonce(
  transaction: Transaction<Database>,
  request: LaneRequest,
): Promise<NoncePosition> {
  return takeFreeLane(request.state, await readNonceUse(transaction, request))
}

/** Maximum number of open builds of one wallet per caller. */
export const maxLiveBuilds = 64

/** @throws TOO_MANY_BUILDS */
export function requireRoom({ live: { count, firstEnd } }: NonceUse, now: Date): void {
  if (count < maxLiveBuilds || firstEnd === null) return
  const retryAfter = Math.max(1, Math.ceil((firstEnd.getTime() - now.getTime()) / 1000))
  throw new LanyardError('TOO_MANY_BUILDS', {
    message: `${count} builds of this wallet wait for a signature. Sign one, or wait: the first expires in ${retryAfter} s.`,
    details: { retryAfter, endsAt: firstEnd.toISOString() },
  })
}

/** An account is deployed once: a second operation that deploys it would fail. */
function requireNotDeploying({ deployed }: AccountState, unresolved: readonly UnresolvedOperation[]): void {
  const deploying = unresolved.find(({ deploys }) => deploys)
  if (deployed || !deploying) return
  throw new LanyardError('OPERATION_IN_FLIGHT', { details: { userOpHash: deploying.user_op_hash } })
}

const isAt =
  (a: NoncePosition) =>
  (b: NoncePosition): boolean =>
    a.key === b.key && a.sequence === b.sequence

const competitorsAt = (unresolved: readonly UnresolvedOperation[], position: NoncePosition) =>
  unresolved.filter(({ nonce_key: key, nonce_sequence: sequence }) => isAt(position)({ key, sequence }))

/** A signed operation is replaced only when the request names it, with higher fees. */
function takePosition(unresolved: readonly UnresolvedOperation[], position: NoncePosition): NoncePosition {
  const [signed] = competitorsAt(unresolved, position)
  if (!signed) return position
  throw new LanyardError('OPERATION_IN_FLIGHT', {
    message:
      'A signed operation with this nonce (of the same order or session) is in progress. Wait for it, or name it in `replaces` to raise its fees.',
    details: { userOpHash: signed.user_op_hash },
  })
}

/**
 * Finds a build that can still be signed. A newer build at the same nonce replaces it if that one is signed
 * first.
 */
const findBuild = (
  transaction: Transaction<Database>,
  { account, network, now }: LaneRequest,
  userOpHash: string,
) =>
  transaction
    .selectFrom('operations')
    .select(['nonce_key', 'nonce_sequence'])
    .where('user_op_hash', '=', userOpHash)
    .where('account', '=', account)
    .where('network', '=', network)
    .where('state', '=', 'built')
    .where('build_expires_at', '>', now)
    .executeTakeFirst()

function takeOver(
  unresolved: readonly UnresolvedOperation[],
  replaced: Pick<UnresolvedOperation, 'nonce_key' | 'nonce_sequence'> | undefined,
  fees: Fees,
): NonceReservation {
  if (!replaced) throw new LanyardError('NOT_REPLACEABLE')
  const position = { key: replaced.nonce_key, sequence: replaced.nonce_sequence }
  const competitors = competitorsAt(unresolved, position)
  const highest = (field: 'maxFeePerGas' | 'maxPriorityFeePerGas') =>
    competitors.reduce((limit, row) => {
      const fee = BigInt((row.user_op as Record<typeof field, string>)[field]) // the service's own JSON form
      return fee > limit ? fee : limit
    }, 0n)
  return {
    ...position,
    // So much that the relayer's transaction can be replaced, too: pools ask for an eighth more of both fees.
    fees: {
      ...fees,
      ...raisedFees(
        { maxFeePerGas: highest('maxFeePerGas'), maxPriorityFeePerGas: highest('maxPriorityFeePerGas') },
        fees,
      ),
    },
  }
}
