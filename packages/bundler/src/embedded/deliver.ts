import { getUserOperationHash, type SignedUserOperation } from '@lanyard/accounts'
import type { Address, Hex } from 'viem'
import type { FreshRow } from '../bundler.ts'
import type { HandleOpsFailure } from '../entry-point/handle-ops-failure.ts'
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
  const error = await explainFailure(
    context,
    operation,
    { hash, signedAtBlock: known?.signed_at_block },
    failure,
  )
  if (error) throw error
}

/** The error for whoever waits for the delivery; undefined: the chain has the operation already. */
export async function explainFailure(
  { network, entryPoint }: EmbeddedContext,
  operation: SignedUserOperation,
  {
    hash,
    signedAtBlock,
  }: { readonly hash: Hex; readonly signedAtBlock?: bigint | number | null | undefined },
  failure: HandleOpsFailure,
): Promise<Error | undefined> {
  if (failure.aaCode === 'AA25' || failure.aaCode === 'AA10') {
    const fromBlock = signedAtBlock == null ? undefined : BigInt(signedAtBlock)
    if (await hasLanded(network, operation, hash, fromBlock)) return undefined
  }
  if (failure.aaCode === 'AA21') return insufficientFunds(network, entryPoint, operation)
  return refusal(failure)
}

/**
 * Takes over an operation that was signed just now and is the only one of its account: it goes into the next bundle and is
 * simulated with that, not before.
 *
 * @param drive - sends what is fresh
 * @returns whether its row says `submitted`
 */
export async function deliverFresh(
  context: EmbeddedContext,
  relayer: Address,
  operation: SignedUserOperation,
  { signedAt, attempts }: FreshRow,
  drive: () => void,
): Promise<boolean> {
  const { network, entryPoint, fresh } = context
  const hash = getUserOperationHash(operation, { chainId: network.chainId, entryPoint })
  await assertCoversItsCosts(network, operation)
  if (!fresh.has(hash) && !fresh.hasSender(operation.sender)) {
    const added = fresh.add({
      ...{ hash, operation, signedAt, signedAtBlock: undefined, attempts },
      ...{ bundles: 0, reverts: 0, isFresh: true },
    })
    drive()
    if ((await added) === 'recorded') return true
  }
  await deliver(context, relayer, operation)
  return false
}
