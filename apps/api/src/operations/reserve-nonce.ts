import { LanyardError } from '@lanyard/contracts'
import type { Database, OperationRow } from '@lanyard/database'
import type { Fees } from '@lanyard/networks'
import type { Transaction } from 'kysely'
import { lockAccount } from '../accounts/lock-account.ts'
import type { AccountState } from './account-state.ts'
import { chooseLane, type LaneChoice, type NoncePosition } from './lanes.ts'
import { ConsentOutdated } from './payer.ts'
import { findLanes, findUnresolved } from './row-states.ts'

export interface ReserveRequest {
  readonly account: string
  readonly network: number
  readonly state: AccountState
  readonly fees: Fees
  /** userOpHash of the operation whose nonce is taken over. */
  readonly replaces: string | undefined
  /** The nonce that the payer asks for; absent: the lowest free lane's. */
  readonly position?: NoncePosition | undefined
  /** The next nonce of the session that signs, at the head of the chain: it has a nonce key of its own. */
  readonly session?: NoncePosition | undefined
  readonly now: Date
}

export interface NonceReservation extends LaneChoice {
  readonly fees: Fees
}

/**
 * Chooses the nonce of a new build. Must run in the transaction that inserts it: the account's row is locked, so
 * that two builds at once, on whatever replica, never get the same lane.
 *
 * @throws OPERATION_IN_FLIGHT, LANES_EXHAUSTED, NOT_REPLACEABLE
 */
export async function reserveNonce(
  transaction: Transaction<Database>,
  { account, network, state, fees, replaces, position, session, now }: ReserveRequest,
): Promise<NonceReservation> {
  await lockAccount(transaction, account)
  const unresolved = await findUnresolved(transaction, account, network, now)

  if (replaces !== undefined) {
    const taken = takeOver(unresolved, replaces, fees)
    if (session && taken.key !== session.key) {
      throw new LanyardError('NOT_REPLACEABLE', {
        message: 'A session can replace only an operation of its own.',
      })
    }
    if (!position || isAt(position)(taken)) return taken
    throw new LanyardError('NOT_REPLACEABLE', {
      message: 'An order has a nonce of its own: only an operation of the same order can be replaced by it.',
    })
  }

  if (session) {
    const included = (await findLanes(transaction, account, network, now)).next.get(session.key) ?? 0n
    const sequence = session.sequence > included ? session.sequence : included
    return { ...takePosition(unresolved, { key: session.key, sequence }), fees }
  }
  if (position) {
    requireNotDeploying(state, unresolved)
    return { ...takePosition(unresolved, position), fees }
  }
  return { ...(await takeFreeLane(transaction, { account, network, state, now, unresolved })), fees }
}

/**
 * Takes a nonce again that was reserved before, after the payer has signed for it. Must run in the transaction that
 * inserts the build, like {@link reserveNonce}.
 *
 * @param reserved - what `reserveNonce` answered to the same request
 * @throws ConsentOutdated when something came in between that changes the nonce or the fees; as `reserveNonce`
 */
export async function confirmNonce(
  transaction: Transaction<Database>,
  request: ReserveRequest,
  reserved: NonceReservation,
): Promise<NonceReservation> {
  const isOwnLane = request.replaces === undefined && request.session === undefined
  const again = await reserveNonce(
    transaction,
    // Of the lanes, the very one that was held; a lower one may be free by now.
    isOwnLane ? { ...request, position: reserved } : request,
  )
  const { account, network, now } = request
  const { next } = await findLanes(transaction, account, network, now)
  const isSame =
    isAt(reserved)(again) &&
    again.fees.maxFeePerGas === reserved.fees.maxFeePerGas &&
    again.fees.maxPriorityFeePerGas === reserved.fees.maxPriorityFeePerGas &&
    (next.get(reserved.key) ?? 0n) <= reserved.sequence
  if (isSame) return again
  throw new ConsentOutdated()
}

interface LaneRequest extends Pick<ReserveRequest, 'account' | 'network' | 'state' | 'now'> {
  readonly unresolved: readonly OperationRow[]
}

async function takeFreeLane(
  transaction: Transaction<Database>,
  { account, network, state, now, unresolved }: LaneRequest,
): Promise<LaneChoice> {
  requireNotDeploying(state, unresolved)
  const { reserved, next } = await findLanes(transaction, account, network, now)
  const nextSequence = (lane: bigint) => {
    // The chain may have been read before an operation was included that the table already knows of.
    const onChain = state.sequences[Number(lane)] ?? 0n
    const included = next.get(lane) ?? 0n
    return onChain > included ? onChain : included
  }
  return chooseLane(unresolved, reserved, nextSequence)
}

/**
 * Chooses the nonce of an order that nothing is built with yet. Must run in the transaction that inserts it, under
 * the lock of the account's row, and after what it replaces is closed.
 *
 * @throws OPERATION_IN_FLIGHT, LANES_EXHAUSTED
 */
export async function reserveOrderNonce(
  transaction: Transaction<Database>,
  request: Pick<ReserveRequest, 'account' | 'network' | 'state' | 'now'>,
): Promise<LaneChoice> {
  const { account, network, now } = request
  return takeFreeLane(transaction, {
    ...request,
    unresolved: await findUnresolved(transaction, account, network, now),
  })
}

/** An account is deployed once: a second operation that does so would fail. */
function requireNotDeploying({ deployed }: AccountState, unresolved: readonly OperationRow[]): void {
  const deploying = unresolved.find(({ deploys, state }) => deploys && state !== 'built')
  if (deployed || !deploying) return
  throw new LanyardError('OPERATION_IN_FLIGHT', { details: { userOpHash: deploying.user_op_hash } })
}

const isAt =
  (a: NoncePosition) =>
  (b: NoncePosition): boolean =>
    a.key === b.key && a.sequence === b.sequence

/** Unsigned builds at a nonce give way; one that is signed is replaced only by name, with higher fees. */
function takePosition(unresolved: readonly OperationRow[], position: NoncePosition): LaneChoice {
  const competitors = unresolved.filter(({ nonce_key: key, nonce_sequence: sequence }) =>
    isAt(position)({ key, sequence }),
  )
  const signed = competitors.find(({ state }) => state !== 'built')
  if (!signed) return { ...position, superseded: competitors }
  throw new LanyardError('OPERATION_IN_FLIGHT', {
    message:
      'An operation with this nonce (of the same order, or session) is signed and under way. Wait for it, or name it in `replaces` to raise its fees.',
    details: { userOpHash: signed.user_op_hash },
  })
}

/** ERC-7562 and common bundlers take a replacement only when both fees rise by at least 10 %. */
const raised = (fee: bigint, before: bigint) => {
  const least = (before * 110n + 99n) / 100n
  return fee > least ? fee : least
}

function takeOver(unresolved: readonly OperationRow[], replaces: string, fees: Fees): NonceReservation {
  const replaced = unresolved.find(({ user_op_hash }) => user_op_hash === replaces)
  if (!replaced) throw new LanyardError('NOT_REPLACEABLE')
  const { nonce_key: key, nonce_sequence: sequence } = replaced
  const competitors = unresolved.filter((row) => row.nonce_key === key && row.nonce_sequence === sequence)
  const signed = competitors.filter(({ state }) => state !== 'built')
  const highest = (field: 'maxFeePerGas' | 'maxPriorityFeePerGas') =>
    signed.reduce((most, row) => {
      const fee = BigInt((row.user_op as Record<typeof field, string>)[field]) // our own wire form
      return fee > most ? fee : most
    }, 0n)
  return {
    key,
    sequence,
    superseded: competitors.filter(({ state }) => state === 'built'),
    fees: {
      ...fees,
      maxFeePerGas: raised(fees.maxFeePerGas, highest('maxFeePerGas')),
      maxPriorityFeePerGas: raised(fees.maxPriorityFeePerGas, highest('maxPriorityFeePerGas')),
    },
  }
}
