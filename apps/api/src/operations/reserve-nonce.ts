import { LanyardError } from '@lanyard/contracts'
import type { Database, OperationRow } from '@lanyard/database'
import type { Fees } from '@lanyard/networks'
import type { Transaction } from 'kysely'
import type { AccountState } from './account-state.ts'
import { chooseLane, type LaneChoice } from './lanes.ts'
import { expireBuilds, findUnresolved } from './row-states.ts'

interface ReserveRequest {
  readonly account: string
  readonly network: number
  readonly state: AccountState
  readonly fees: Fees
  /** userOpHash of the operation whose nonce is taken over. */
  readonly replaces: string | undefined
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
  { account, network, state, fees, replaces, now }: ReserveRequest,
): Promise<NonceReservation> {
  await transaction
    .selectFrom('accounts')
    .select('address')
    .where('address', '=', account)
    .forUpdate()
    .execute()
  await expireBuilds(transaction, account, network, now)
  const unresolved = await findUnresolved(transaction, account, network)

  if (replaces !== undefined) return takeOver(unresolved, replaces, fees)

  const deploying = unresolved.find(({ deploys, state: at }) => deploys && at !== 'built')
  if (!state.deployed && deploying) {
    throw new LanyardError('OPERATION_IN_FLIGHT', { details: { userOpHash: deploying.user_op_hash } })
  }
  const known = await sequencesAfterIncluded(transaction, account, network)
  const nextSequence = (lane: bigint) => {
    const onChain = state.sequences[Number(lane)] ?? 0n
    const included = known.get(lane) ?? 0n
    return onChain > included ? onChain : included
  }
  return { ...chooseLane(unresolved, nextSequence), fees }
}

/** The chain may have been read before an operation was included that the table already knows of. */
async function sequencesAfterIncluded(transaction: Transaction<Database>, account: string, network: number) {
  const rows = await transaction
    .selectFrom('operations')
    .select(({ fn }) => ['nonce_key', fn.max('nonce_sequence').as('last')])
    .where('account', '=', account)
    .where('network', '=', network)
    .where('state', '=', 'included')
    .groupBy('nonce_key')
    .execute()
  return new Map(rows.map(({ nonce_key, last }) => [nonce_key, last + 1n]))
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
