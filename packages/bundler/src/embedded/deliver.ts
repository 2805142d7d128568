import { getUserOperationHash, type SignedUserOperation } from '@lanyard/accounts'
import type { Address } from 'viem'
import { insufficientFunds } from '../entry-point/insufficient-funds.ts'
import { hasLanded } from '../entry-point/landed.ts'
import { refusal } from '../entry-point/refusal.ts'
import { simulateHandleOps } from '../entry-point/simulate-handle-ops.ts'
import { initialFees } from '../sender/transaction-fees.ts'
import { assertCoversItsCosts } from './assert-covers-its-costs.ts'
import { assertNoCompetitor } from './assert-no-competitor.ts'
import { maxBundleFees } from './bundle-fees.ts'
import { bundleGasLimit } from './bundle-limits.ts'
import type { EmbeddedContext } from './context.ts'

/**
 * Takes an operation over. There is nothing to store: its row is the queue. So this only finds out whether it can be
 * included, by running `handleOps` as the relayer will.
 */
export async function deliver(
  context: EmbeddedContext,
  relayer: Address,
  operation: SignedUserOperation,
): Promise<void> {
  const { network, entryPoint } = context
  const hash = getUserOperationHash(operation, { chainId: network.chainId, entryPoint })
  const known = await context.database
    .selectFrom('operations')
    .select(['state', 'signed_at_block'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('relayer_transaction_operations as link')
            .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
            .select('link.txn_hash')
            .whereRef('link.user_op_hash', '=', 'operations.user_op_hash')
            .where('tx.state', 'in', ['live', 'mined']),
        )
        .as('on_its_way'),
    )
    .where('user_op_hash', '=', hash)
    .executeTakeFirst()
  if (known?.state === 'included' || known?.on_its_way) return

  const [failure] = await Promise.all([
    simulateHandleOps({
      network,
      entryPoint,
      operations: [operation],
      relayer,
      gas: bundleGasLimit([operation], network.config.l1Fee),
      // A guess that costs no request: before the bundle is sent, it is simulated with the fees of then.
      fees: network.lastFees && initialFees(network.lastFees, maxBundleFees([operation])),
    }),
    assertCoversItsCosts(network, operation),
    assertNoCompetitor(context, operation, hash),
  ])
  if (!failure) return
  if (failure.aaCode === 'AA25' || failure.aaCode === 'AA10') {
    const signedAtBlock = known?.signed_at_block ?? undefined
    const fromBlock = signedAtBlock === undefined ? undefined : BigInt(signedAtBlock)
    if (await hasLanded(network, operation, hash, fromBlock)) return
  }
  if (failure.aaCode === 'AA21') throw await insufficientFunds(network, entryPoint, operation)
  throw refusal(failure)
}
