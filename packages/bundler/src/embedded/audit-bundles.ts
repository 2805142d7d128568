import { LanyardError } from '@lanyard/contracts'
import { recordAudits, recordLosses } from '@lanyard/database'
import { sql } from 'kysely'
import {
  type Address,
  type Hex,
  isAddressEqual,
  parseEventLogs,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { relayerShare } from '../bundle-gas.ts'
import type { EmbeddedContext } from './context.ts'

/** Bundles that one audit looks at; the next one continues. */
const maxAtOnce = 50

/** A mined bundle whose receipt nobody has compared with what it earned. */
interface Unaudited {
  readonly txn_hash: string
  readonly relayer: string
  readonly nonce: number
  readonly max_fee_per_gas: bigint
  readonly max_priority_fee_per_gas: bigint
  readonly created_at: Date
  /** What it costs the relayer because it replaces another one. */
  readonly loss: bigint
  readonly operations: readonly {
    readonly user_op_hash: string
    readonly account: string
    readonly sent_by: string | null
    readonly paymaster: Hex
  }[]
}

/**
 * Compares what mined bundles cost with what EntryPoint paid for them, outside the path of operations. Whatever made an
 * operation pay too little, it is then in the ledger of losses: an account owes what its bundle of one lacked. Of a bundle
 * of several nobody knows whose it is, nor where L1 data costs what nobody knows before.
 *
 * A transaction that the relayer has replaced at its own cost is no loss of an operation.
 *
 * @returns a function that audits, at most once in `auditEvery` milliseconds
 */
export function createBundleAudit(context: EmbeddedContext): () => Promise<void> {
  let next = 0
  return async () => {
    if (performance.now() < next) return
    next = performance.now() + context.settings.auditEvery
    try {
      await audit(context)
    } catch (error) {
      // The next one tries again.
      if (!(error instanceof LanyardError)) throw error
    }
  }
}

async function audit(context: EmbeddedContext): Promise<void> {
  const { database, network, now, observe } = context
  const bundles = await readUnaudited(context)
  if (bundles.length === 0) return
  const read = await Promise.all(bundles.map((bundle) => readResult(context, bundle)))
  const results = read.filter((one) => one !== 'unconfirmed')
  const losses = results.flatMap(({ bundle, receipt, result }) => {
    const loss = receipt && result ? lossOf(context, bundle, receipt, result) : 0n
    return loss > 0n ? [{ bundle, loss }] : []
  })
  await database.transaction().execute(async (transaction) => {
    await recordLosses(
      transaction,
      losses.flatMap(({ bundle: { txn_hash, operations }, loss }) => {
        const isOnly = operations.length === 1 && network.config.l1Fee === undefined
        const wei = (loss + BigInt(operations.length) - 1n) / BigInt(operations.length)
        return operations.map(({ user_op_hash, account, sent_by }) => ({
          ...{ txn_hash, user_op_hash, network: network.chainId, account, sent_by },
          ...{ reason: 'underpaid' as const, wei, owed: isOnly ? wei : 0n, lost_at: now() },
        }))
      }),
    )
    await recordAudits(
      transaction,
      results.map(({ bundle: { txn_hash: hash }, result }) => ({ hash, result })),
    )
  })
  for (const { bundle, loss } of losses) {
    observe({
      ...{ kind: 'underpaid', reason: 'gas', network: network.chainId, loss },
      ...{ sender: bundle.relayer as Address, nonce: bundle.nonce, hash: bundle.txn_hash as Hex }, // written as hex
      fees: {
        maxFeePerGas: bundle.max_fee_per_gas,
        maxPriorityFeePerGas: bundle.max_priority_fee_per_gas,
      },
      age: now().getTime() - bundle.created_at.getTime(),
    })
  }
}

async function readUnaudited({ database, network }: EmbeddedContext): Promise<readonly Unaudited[]> {
  return await database
    .selectFrom('relayer_transactions as tx')
    .select(['tx.txn_hash', 'tx.relayer', 'tx.nonce', 'tx.max_fee_per_gas', 'tx.max_priority_fee_per_gas'])
    .select(['tx.created_at', 'tx.loss'])
    .select(
      sql<Unaudited['operations']>`(
        select coalesce(json_agg(json_build_object(
          'user_op_hash', link.user_op_hash, 'account', operations.account, 'sent_by', operations.sent_by,
          'paymaster', coalesce(operations.user_op ->> 'paymasterAndData', '0x'))), '[]')
        from relayer_transaction_operations link join operations using (user_op_hash)
        where link.txn_hash = tx.txn_hash)`.as('operations'),
    )
    .where('tx.network', '=', network.chainId)
    .where('tx.state', '=', sql.lit('mined'))
    .where('tx.audited', '=', sql.lit(false))
    // Those that an RPC does not confirm keep no other ones waiting.
    .orderBy(sql`tx.loss > 0`)
    .limit(maxAtOnce)
    .execute()
}

interface Audited {
  readonly bundle: Unaudited
  readonly receipt?: TransactionReceipt | undefined
  readonly result?: Result | undefined
}

/**
 * What a relayer paid for itself makes room for what it may still pay, once it is known to have cost less than its limit.
 * So one RPC alone does not decide that: until another one confirms it, the limit counts.
 */
async function readResult(context: EmbeddedContext, bundle: Unaudited): Promise<Audited | 'unconfirmed'> {
  const hash = bundle.txn_hash as Hex // written by this package from a hash
  const receipt = await readReceipt(context, hash)
  if (!receipt) return { bundle }
  const result = resultOf(receipt)
  if (bundle.loss > 0n) {
    const isSame = await context.network.quorum
      .agree(async (client) => describe(resultOf(await client.getTransactionReceipt({ hash }))))
      .then(
        (answer) => answer === describe(result),
        () => false,
      )
    if (!isSame) return 'unconfirmed'
  }
  return { bundle, receipt, result }
}

const describe = ({ spent, earned }: Result) => `${spent} ${earned}`

const readReceipt = ({ network }: EmbeddedContext, hash: Hex) =>
  network.call((client) =>
    client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined // a reorg removed it
      throw error
    }),
  )

interface Result {
  /** wei, with the fee for L1 data. */
  readonly spent: bigint
  /** wei that EntryPoint paid for the operations in it. */
  readonly earned: bigint
  /** The same by the hash of the operation, with the gas that it paid for. */
  readonly paid: ReadonlyMap<string, { readonly cost: bigint; readonly gas: bigint }>
}

function resultOf(receipt: TransactionReceipt): Result {
  const l1Fee = 'l1Fee' in receipt && typeof receipt.l1Fee === 'string' ? BigInt(receipt.l1Fee) : 0n
  const events = parseEventLogs({
    ...{ abi: entryPoint07Abi, eventName: 'UserOperationEvent', logs: receipt.logs },
    // A bundle is a call of its EntryPoint.
  }).filter(({ address }) => receipt.to !== null && isAddressEqual(address, receipt.to))
  return {
    spent: receipt.gasUsed * receipt.effectiveGasPrice + l1Fee,
    earned: events.reduce((sum, { args }) => sum + args.actualGasCost, 0n),
    paid: new Map(
      events.map(({ args }) => [args.userOpHash, { cost: args.actualGasCost, gas: args.actualGasUsed }]),
    ),
  }
}

/** What a bundle cost beyond what it earned, and what the relayer bears, wei; 0 if it cost less. */
function lossOf(
  { network }: EmbeddedContext,
  { operations, loss: replacement }: Unaudited,
  { effectiveGasPrice }: TransactionReceipt,
  { spent, earned, paid }: Result,
): bigint {
  if (operations.length === 0 || replacement > 0n) return 0n
  // Any operation that is not the sponsor's pays the base cost.
  const shares = operations.map(({ paymaster }) => relayerShare(network, { paymasterAndData: paymaster }))
  const borne = shares.includes(0n) ? 0n : (shares[0] ?? 0n)
  // The tip that the relayer added for the sponsor's (`bundleFees`).
  const tips = operations.reduce((sum, { user_op_hash }, index) => {
    const { cost, gas } = (shares[index] !== 0n && paid.get(user_op_hash)) || { cost: 0n, gas: 0n }
    return sum + greater(gas * effectiveGasPrice - cost, 0n)
  }, 0n)
  return greater(spent - earned - tips - borne * effectiveGasPrice, 0n)
}

const greater = (a: bigint, b: bigint) => (a > b ? a : b)
