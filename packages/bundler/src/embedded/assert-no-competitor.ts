import type { SignedUserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { batched, perDatabase } from '@lanyard/database'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import type { EmbeddedContext } from './context.ts'
import { readStoredOperation, type StoredOperation, storedOperationColumns } from './stored-operation.ts'

/** ERC-4337, "Alternative Mempools": a replacement pays at least 10 % more in both fees. */
const leastReplacementFee = (fee: bigint) => (fee * 110n + 99n) / 100n

const sequenceBits = 64n

interface Position {
  /** Lower case. */
  readonly account: string
  readonly network: number
  readonly nonce: bigint
}

/** Signed operations with a given nonce. Concurrent lookups share one statement. */
const findOfNonce = perDatabase((database) =>
  batched(async (positions: readonly Position[]): Promise<StoredOperation[][]> => {
    const rows = await database
      .selectFrom('operations')
      .select([...storedOperationColumns, 'operations.account', 'operations.network'])
      .where(
        sql<boolean>`(account, network, nonce_key, nonce_sequence) in (
          select * from unnest(
            ${positions.map(({ account }) => account)}::text[],
            ${positions.map(({ network }) => network)}::int8[],
            ${positions.map(({ nonce }) => nonce >> sequenceBits)}::numeric[],
            ${positions.map(({ nonce }) => BigInt.asUintN(Number(sequenceBits), nonce))}::numeric[]
          )
        )`,
      )
      .where('state', 'in', ['submitting', 'submitted'])
      .where('final', '=', false)
      .execute()
    const found = rows.map((row) => ({ ...row, ...readStoredOperation(row) }))
    return positions.map(({ account, network, nonce }) =>
      found.filter(
        (one) => one.account === account && one.network === network && one.operation.nonce === nonce,
      ),
    )
  }),
)

/**
 * Two operations with the same nonce cannot both be included. The second is accepted only as a replacement of
 * the first.
 *
 * @throws OPERATION_REFUSED with the fees that a replacement needs.
 */
export async function assertNoCompetitor(
  { database, network }: EmbeddedContext,
  operation: SignedUserOperation,
  hash: Hex,
): Promise<void> {
  const competitors = await findOfNonce(database)({
    account: operation.sender.toLowerCase(),
    network: network.chainId,
    nonce: operation.nonce,
  })
  for (const competitor of competitors) {
    if (competitor.hash === hash) continue
    const maxFeePerGas = leastReplacementFee(competitor.operation.maxFeePerGas)
    const maxPriorityFeePerGas = leastReplacementFee(competitor.operation.maxPriorityFeePerGas)
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
