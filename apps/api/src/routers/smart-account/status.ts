import { endpoints, LanyardError } from '@lanyard/contracts'
import { findAccount } from '@lanyard/database'
import { getAddress, type Hash } from 'viem'
import { findExternalOperation } from '../../domain/operations/track/external-operations.ts'
import { revertReasonOf } from '../../domain/operations/track/inclusion.ts'
import { readOperationHistory, signerOf, toFeePaid } from '../../domain/operations/track/operation-history.ts'
import { implement } from '../../pipeline/implement.ts'
import { chargeReads } from '../../pipeline/rate-limits/request-budgets.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'

export const status = implement(endpoints.smartAccount.status, async ({ userOpHash, history }, context) => {
  const row = await context.services.database
    .selectFrom('every_operation')
    .selectAll()
    .where('user_op_hash', '=', userOpHash)
    // An unsigned build is visible only to its builder.
    .where('signature', 'is not', null)
    .executeTakeFirst()
  if (!row) return readExternal(context, userOpHash)
  const [steps, signer] = history
    ? await Promise.all([readOperationHistory(context.services.database, row), signerOf(row)])
    : []
  return {
    userOpHash,
    network: String(row.network),
    walletAddress: getAddress(row.account),
    state: row.state,
    final: row.final,
    ...(row.success !== null && { success: row.success }),
    ...(row.txn_hash !== null && { txnHash: row.txn_hash as Hash }), // the column holds 0x and 64 digits
    ...(row.block_number !== null && { blockNumber: String(row.block_number) }),
    ...(row.gas_cost !== null && { gasCost: String(row.gas_cost) }),
    ...toFeePaid(row),
    ...(row.reason_code !== null && {
      reason: { code: row.reason_code, message: row.reason_message ?? '' },
    }),
    ...(signer && { signer }),
    ...(steps && { history: [...steps] }),
  }
})

/**
 * For an operation of an account of this service that was sent elsewhere: it is read from the chain, which
 * counts as a read.
 */
async function readExternal(context: RequestContext, userOpHash: Hash) {
  const { services } = context
  await chargeReads(context, 1)
  const found = await findExternalOperation(services, userOpHash)
  if (!found || !(await findAccount(services.database, found.account))) {
    throw new LanyardError('UNKNOWN_OPERATION')
  }
  const { network, account, final, success, txnHash, blockNumber, gasCost } = found
  const revertReason = revertReasonOf(services.operations.features, found)
  return {
    userOpHash,
    network: String(network),
    walletAddress: account,
    state: 'included' as const,
    ...{ final, success, txnHash },
    blockNumber: String(blockNumber),
    gasCost: String(gasCost),
    ...(revertReason !== undefined && { reason: { code: 'EXECUTION_REVERTED', message: revertReason } }),
  }
}
