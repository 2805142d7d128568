import { accountTraits, type SignedUserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { batched, debtColumns, perDatabase } from '@lanyard/database'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import {
  readStoredOperation,
  type StoredOperation,
  type StoredOperationColumns,
  storedOperationColumns,
} from '../operation-row.ts'
import type { EmbeddedContext } from './context.ts'
import { callerMemory, type Debts } from './debts.ts'

/** ERC-4337, "Alternative Mempools": a replacement pays at least 10 % more in both fees. */
const minReplacementFee = (fee: bigint) => (fee * 110n + 99n) / 100n

const sequenceBits = 64n

interface Position {
  /** Lower case. */
  readonly account: string
  readonly network: number
  readonly nonce: bigint
  readonly sentBy: string | null
  readonly isDelegated: boolean
  readonly now: Date
}

/** What the database knows about an operation that is delivered. */
export interface SenderState extends Debts {
  /** Signed, unfinished operations with its nonce. */
  readonly competitors: readonly StoredOperation[]
}

/** Concurrent lookups share one statement. */
const findSenderState = perDatabase((database) =>
  batched(async (positions: readonly Position[]): Promise<SenderState[]> => {
    const column = <T>(value: (one: Position) => T) => positions.map(value)
    const oldest = Math.min(...column(({ now }) => now.getTime()))
    const since = new Date(oldest - callerMemory)
    const given = sql<{
      readonly index: number
      readonly account: string
      readonly network: number
      readonly nonce_key: bigint
      readonly nonce_sequence: bigint
      readonly sent_by: string | null
      readonly is_delegated: boolean
    }>`unnest(
      ${positions.map((_, index) => index)}::int4[], ${column(({ account }) => account)}::text[],
      ${column(({ network }) => network)}::int8[], ${column(({ nonce }) => nonce >> sequenceBits)}::numeric[],
      ${column(({ nonce }) => BigInt.asUintN(Number(sequenceBits), nonce))}::numeric[],
      ${column(({ sentBy }) => sentBy)}::text[], ${column(({ isDelegated }) => isDelegated)}::bool[]
    )`.as<'given'>(sql`given (index, account, network, nonce_key, nonce_sequence, sent_by, is_delegated)`)
    const rows = await database
      .selectFrom(given)
      .leftJoin('operations', (join) =>
        join
          .onRef('operations.account', '=', 'given.account')
          .onRef('operations.network', '=', 'given.network')
          .onRef('operations.nonce_key', '=', 'given.nonce_key')
          .onRef('operations.nonce_sequence', '=', 'given.nonce_sequence')
          .on('operations.state', 'in', ['submitting', 'submitted'])
          .on('operations.final', '=', false),
      )
      .select(['given.index'])
      .select(
        debtColumns(sql.ref('given.network'), {
          ...{ account: sql.ref('given.account'), sentBy: sql.ref('given.sent_by') },
          ...{ isDelegated: sql.ref('given.is_delegated'), since },
        }),
      )
      .select(storedOperationColumns)
      .execute()
    const ofPosition = Map.groupBy(rows, ({ index }) => index)
    return positions.map((_, index) => {
      const found = ofPosition.get(index) ?? []
      const [first] = found
      return {
        competitors: found.flatMap((row) =>
          // Every column is present, or none: the join found no operation.
          row.user_op_hash === null ? [] : [readStoredOperation(row as StoredOperationColumns)],
        ),
        owed: first?.owed ?? 0n,
        callerLosses: first?.caller_losses ?? 0,
        hasPaid: first?.has_paid ?? false,
      }
    })
  }),
)

/** Reads the operations that compete for a nonce, and what its account and its caller owe. */
export const readSenderState = (
  { database, network, now }: EmbeddedContext,
  operation: SignedUserOperation,
  sentBy: string | null,
): Promise<SenderState> =>
  findSenderState(database)({
    ...{ account: operation.sender.toLowerCase(), network: network.chainId, nonce: operation.nonce, sentBy },
    isDelegated: accountTraits(operation).ownerReplacesCode,
    now: now(),
  })

/**
 * Two operations with the same nonce cannot both be included. The second is accepted only as a replacement of
 * the first.
 *
 * @throws OPERATION_REFUSED with the fees that a replacement needs.
 */
export function assertNoCompetitor(
  competitors: readonly StoredOperation[],
  operation: SignedUserOperation,
  hash: Hex,
): void {
  for (const competitor of competitors) {
    if (competitor.hash === hash) continue
    const maxFeePerGas = minReplacementFee(competitor.operation.maxFeePerGas)
    const maxPriorityFeePerGas = minReplacementFee(competitor.operation.maxPriorityFeePerGas)
    if (operation.maxFeePerGas >= maxFeePerGas && operation.maxPriorityFeePerGas >= maxPriorityFeePerGas)
      continue
    throw new LanyardError('OPERATION_REFUSED', {
      message: `Another operation (${competitor.hash}) with this nonce is in progress. To replace it, maxFeePerGas must be at least ${maxFeePerGas} and maxPriorityFeePerGas at least ${maxPriorityFeePerGas}.`,
      details: {
        userOpHash: competitor.hash,
        requiredMaxFeePerGas: maxFeePerGas.toString(),
        requiredMaxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
      },
    })
  }
}
