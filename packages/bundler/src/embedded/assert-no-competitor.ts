import type { SignedUserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Hex } from 'viem'
import type { EmbeddedContext } from './context.ts'
import { readStoredOperation, storedOperationColumns } from './stored-operation.ts'

/** ERC-4337, "Alternative Mempools": a replacement pays at least 10 % more in both fees. */
const leastReplacementFee = (fee: bigint) => (fee * 110n + 99n) / 100n

const sequenceBits = 64n

/**
 * Two operations of one nonce cannot both be included. The second is taken only as a replacement of the first.
 *
 * @throws OPERATION_REFUSED with the fees that a replacement needs.
 */
export async function assertNoCompetitor(
  { database, network }: EmbeddedContext,
  operation: SignedUserOperation,
  hash: Hex,
): Promise<void> {
  const rows = await database
    .selectFrom('operations')
    .select(storedOperationColumns)
    .where('account', '=', operation.sender.toLowerCase())
    .where('network', '=', network.chainId)
    .where('nonce_key', '=', operation.nonce >> sequenceBits)
    .where('nonce_sequence', '=', BigInt.asUintN(Number(sequenceBits), operation.nonce))
    .where('state', 'in', ['submitting', 'submitted'])
    .where('final', '=', false)
    .where('user_op_hash', '!=', hash)
    .execute()
  for (const competitor of rows.map(readStoredOperation)) {
    const maxFeePerGas = leastReplacementFee(competitor.operation.maxFeePerGas)
    const maxPriorityFeePerGas = leastReplacementFee(competitor.operation.maxPriorityFeePerGas)
    if (operation.maxFeePerGas >= maxFeePerGas && operation.maxPriorityFeePerGas >= maxPriorityFeePerGas)
      continue
    throw new LanyardError('OPERATION_REFUSED', {
      message: `Another operation (${competitor.hash}) with this nonce is under way. To replace it, maxFeePerGas has to be at least ${maxFeePerGas} and maxPriorityFeePerGas at least ${maxPriorityFeePerGas}.`,
      details: {
        userOpHash: competitor.hash,
        requiredMaxFeePerGas: maxFeePerGas.toString(),
        requiredMaxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
      },
    })
  }
}
