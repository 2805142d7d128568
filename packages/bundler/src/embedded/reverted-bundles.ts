import { dropSubmitted, keepWaiting, nextAttempt, recordLosses } from '@lanyard/database'
import { sql } from 'kysely'
import { type Address, type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { readDelegations } from '../eip7702/delegations.ts'
import { signedColumns, toSignedOperation } from '../operation-row.ts'
import type { ContentsWrite } from '../sender/context.ts'
import type { EmbeddedContext } from './context.ts'
import { type BundledOperation, findCulprits } from './find-culprits.ts'
import { reverts, revertsAlone } from './reverts.ts'

const nothingToWrite: ContentsWrite = async () => {}

/** A bundle that was mined and reverted. */
interface RevertedBundle {
  readonly txnHash: Hex
  readonly nonce: number
  readonly relayer: Address
  readonly fees: { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  readonly sentAt: Date
  readonly bundled: readonly BundledOperation[]
  /** Those whose nonce is used now. */
  readonly raced: readonly BundledOperation[]
  /** Those whose validation failed, as far as the chain shows it. */
  readonly failed: readonly BundledOperation[]
  /** Those among them that could not succeed yet, whatever their accounts did. */
  readonly early: readonly BundledOperation[]
  /** wei that the relayer paid. */
  readonly cost: bigint
  /** The time of its block, Unix seconds; 0 if it is unknown. */
  readonly minedAt: number
}

/**
 * The outcome of operations whose bundles were mined and reverted. Each passed a simulation and cost the
 * relayer a transaction that nobody reimburses. So those at fault wait and then go alone (`toCandidate`), or all if
 * it is unknown who is; an operation that reverts alone a few times is dropped.
 *
 * If the nonce of an operation in the bundle is now used, the bundle lost a race against another bundler. No
 * other operation is at fault, and the others go again immediately, each alone. This bounds the number of reverts:
 * when an operation is alone, only its own race can make the bundle revert.
 *
 * What the transaction cost is written against those that made it revert (`relayer_losses`). They owe it if only
 * they can have caused it: by their validation, or by bringing an operation to EntryPoint that nobody else has seen,
 * because transactions go to private addresses only (`sendRpcUrls`). Nobody owes it if the service's consent to pay ran
 * out while the transaction waited (the chain stood still, or the fees were too low for it), or if the authorisation is of a
 * nonce that the EOA does not have yet: a node has made the nonce up.
 */
export async function revertedBundles(
  context: EmbeddedContext,
  txnHashes: readonly Hex[],
): Promise<ContentsWrite> {
  if (txnHashes.length === 0) return nothingToWrite
  const bundles = await Promise.all(
    (await readBundles(context, txnHashes)).map((one) => examine(context, one)),
  )
  const hashes = bundles.flatMap(({ bundled, raced, failed }) =>
    raced.length > 0 ? [] : (failed.length > 0 ? failed : bundled).map(({ user_op_hash }) => user_op_hash),
  )
  for (const bundle of bundles) observe(context, bundle)
  const losses = bundles.flatMap((bundle) => lossesOf(context, bundle))
  if (hashes.length === 0 && losses.length === 0) return nothingToWrite
  return async (trx) => {
    await recordLosses(trx, losses)
    if (hashes.length === 0) return
    // Locked in the same order as when they are added to a bundle.
    const waiting = await trx
      .selectFrom('operations')
      .select(['user_op_hash', 'account', 'network', 'nonce_key', 'nonce_sequence', 'attempts'])
      .select([reverts.as('reverts'), revertsAlone.as('reverts_alone')])
      .where('user_op_hash', 'in', hashes)
      .where('state', '=', 'submitted')
      .where('final', '=', false)
      .orderBy('user_op_hash')
      .forUpdate()
      .execute()
    for (const row of waiting) {
      if (row.reverts_alone < context.settings.maxReverts) {
        await keepWaiting(trx, [row.user_op_hash], {
          attempts: row.attempts + 1,
          next_attempt_at: nextAttempt(row.reverts - 1, context.now()),
          reason_code: 'BUNDLER_FAILED',
          reason_message:
            'The transaction with this operation reverted. The operation will be sent again, alone.',
        })
      } else {
        await dropSubmitted(trx, row, {
          reason_code: 'OPERATION_REFUSED',
          reason_message: `It passed every simulation, but ${row.reverts_alone} transactions with only this operation reverted: its validation depends on something that a simulation cannot see.`,
        })
      }
    }
  }
}

type ReadBundle = Omit<RevertedBundle, 'raced' | 'failed' | 'early' | 'cost' | 'minedAt'>

async function readBundles(
  { database }: EmbeddedContext,
  txnHashes: readonly Hex[],
): Promise<readonly ReadBundle[]> {
  const rows = await database
    .selectFrom('relayer_transaction_operations as link')
    .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
    .innerJoin('operations', 'operations.user_op_hash', 'link.user_op_hash')
    .select(['link.txn_hash', 'tx.nonce', 'tx.relayer', 'tx.max_fee_per_gas', 'tx.max_priority_fee_per_gas'])
    .select(['tx.created_at', 'operations.account', 'operations.nonce_key', 'operations.nonce_sequence'])
    .select(['operations.sent_by', ...signedColumns])
    .select(paidUntil.as('paid_until'))
    .where('link.txn_hash', 'in', txnHashes)
    .orderBy('link.position')
    .execute()
  return [...Map.groupBy(rows, ({ txn_hash }) => txn_hash)].flatMap(([txnHash, [first, ...others]]) =>
    first
      ? [
          {
            txnHash: txnHash as Hex, // written by this package from a hash
            nonce: first.nonce,
            relayer: first.relayer as Address, // the column holds 0x and 40 digits
            fees: {
              maxFeePerGas: first.max_fee_per_gas,
              maxPriorityFeePerGas: first.max_priority_fee_per_gas,
            },
            sentAt: first.created_at,
            bundled: [first, ...others],
          },
        ]
      : [],
  )
}

/** Finds out what a bundle cost, and which of its operations made it revert. */
async function examine(context: EmbeddedContext, bundle: ReadBundle): Promise<RevertedBundle> {
  const { bundled, txnHash } = bundle
  const [isUsed, receipt] = await Promise.all([
    Promise.all(bundled.map((operation) => isNonceUsed(context, operation))),
    readReceipt(context, txnHash),
  ])
  const raced = bundled.filter((_, index) => isUsed[index])
  const failed = raced.length > 0 || !receipt ? [] : await findCulprits(context, bundle, receipt)
  const delegations = await readDelegations(context.network, failed.map(toSignedOperation))
  const early = failed.filter(({ account }) => delegations.get(account)?.isAhead)
  const isTimed = receipt !== undefined && failed.some(({ paid_until }) => paid_until !== null)
  const minedAt = isTimed ? await readTime(context, receipt.blockHash) : 0
  return { ...bundle, raced, failed, early, cost: receipt ? costOf(receipt) : 0n, minedAt }
}

/** Unix seconds. */
const readTime = ({ network }: EmbeddedContext, blockHash: Hex): Promise<number> =>
  network.call(async (client) => Number((await client.getBlock({ blockHash })).timestamp))

/** The service chose these times, not the account. */
const paidUntil = sql<number | null>`(
  select max(paid.valid_until)::int8 from (
    select valid_until from sponsorships where user_op_hash = operations.user_op_hash
    union all
    select valid_until from order_operations where user_op_hash = operations.user_op_hash
  ) as paid
)`

/** With less left when it is sent, whoever submitted it so late answers for what that costs. Seconds. */
const enoughTime = 60

/** Whether the service's consent to pay ran out between sending and mining, though there was enough time. */
const hasRunOut = (
  { paid_until }: BundledOperation,
  { sentAt, minedAt }: Pick<RevertedBundle, 'sentAt' | 'minedAt'>,
): boolean =>
  paid_until !== null && paid_until < minedAt && paid_until >= sentAt.getTime() / 1000 + enoughTime

/** With the L1 data fee, which OP Stack nodes name in the receipt. */
function costOf(receipt: TransactionReceipt): bigint {
  const { gasUsed, effectiveGasPrice } = receipt
  const l1Fee = 'l1Fee' in receipt && typeof receipt.l1Fee === 'string' ? BigInt(receipt.l1Fee) : 0n
  return gasUsed * effectiveGasPrice + l1Fee
}

const readReceipt = ({ network }: EmbeddedContext, hash: Hex) =>
  network.call((client) =>
    client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined // a reorg removed it meanwhile
      throw error
    }),
  )

function observe(
  { observe, network, now }: EmbeddedContext,
  { txnHash, nonce, relayer, fees, sentAt, raced, cost }: RevertedBundle,
): void {
  observe({
    ...{ kind: 'reverted', reason: raced.length > 0 ? 'raced' : 'failed', network: network.chainId },
    ...{ sender: relayer, nonce, hash: txnHash, fees, loss: cost },
    age: now().getTime() - sentAt.getTime(),
  })
}

/** The cost of a bundle, divided among the operations that caused it. */
function lossesOf(context: EmbeddedContext, bundle: RevertedBundle) {
  const { txnHash, raced, failed, early, cost } = bundle
  const { network, now } = context
  const isRace = raced.length > 0
  const causes = isRace ? raced : failed
  if (causes.length === 0 || cost === 0n) return []
  const wei = (cost + BigInt(causes.length) - 1n) / BigInt(causes.length)
  const isPublic = isRace && network.config.sendRpcUrls.length === 0
  return causes.map((operation) => {
    const { user_op_hash, account, sent_by } = operation
    return {
      ...{ txn_hash: txnHash, user_op_hash, network: network.chainId, account, sent_by },
      ...{ reason: isRace ? ('raced' as const) : ('reverted' as const), wei, lost_at: now() },
      owed: isPublic || early.includes(operation) || hasRunOut(operation, bundle) ? 0n : wei,
    }
  })
}

/** Whether this operation, in another bundle, or a different operation has used the nonce. */
async function isNonceUsed(
  { network }: EmbeddedContext,
  operation: Pick<BundledOperation, 'account' | 'entry_point' | 'nonce_key' | 'nonce_sequence'>,
): Promise<boolean> {
  const next = await network.call((client) =>
    client.readContract({
      // The columns hold 0x and 40 digits.
      address: operation.entry_point as Address,
      abi: entryPoint07Abi,
      functionName: 'getNonce',
      args: [operation.account as Address, operation.nonce_key],
    }),
  )
  return BigInt.asUintN(64, next) > operation.nonce_sequence
}
