import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Address, Hex, LocalAccount } from 'viem'
import type { SenderSettings, SenderStep } from '../sender/context.ts'
import {
  createTransactionSender,
  type PreparedTransaction,
  type TransactionPosition,
  type TransactionSender,
} from '../sender/create-sender.ts'
import type { SenderEvent } from '../sender/sender-event.ts'

/** The tables of what an account pays to others within an hourly budget. Both have the columns of the second. */
export type TreasuryTable = 'relayer_refills' | 'gas_top_ups'

/** A transaction that pays somebody. */
export interface Transfer extends Pick<PreparedTransaction, 'to' | 'data' | 'gas' | 'scheduleRetry'> {
  /** wei */
  readonly amount: bigint
  /** wei per hour, fees included. */
  readonly budget: bigint
  /** Prevents that another process counts at the same time. False: it may not be sent any more. */
  readonly lock: (trx: Transaction<Database>, position: TransactionPosition) => Promise<boolean>
  /** Further columns of its row. */
  readonly row?: (position: TransactionPosition) => object
}

interface TreasuryDependencies {
  readonly database: Kysely<Database>
  readonly table: TreasuryTable
  readonly account: LocalAccount
  readonly now: () => Date
  readonly checkpoint: (step: SenderStep) => void | Promise<void>
  readonly settings?: Partial<SenderSettings> | undefined
  readonly observe: (event: SenderEvent) => void
  readonly hasWaiting: () => Promise<boolean>
  /** Decides on what is needed now, with the result of every earlier transfer. */
  readonly next: () => Promise<Transfer | undefined>
  /** The transfer of a stuck transaction with less; undefined if it may not be sent any more. */
  readonly again: (txnHash: Hex, amount: bigint, gas: bigint) => Promise<Transfer | undefined>
}

/** A replacement offers at most so many times the market's fees (`withinMarket`). */
const maxFeeFactor = 8n

/** Milliseconds between looks at balances that need nothing. */
export const idleInterval = 15_000

/** A transfer of less than a twentieth of the target is not worth its cost. */
export const minPart = 20n

/**
 * An account that pays others. Each transfer is counted in the database transaction that writes the signed bytes, before
 * it is sent, so no number of processes, even after a crash, signs more than an hour's budget. One is sent at a time: the
 * next one depends on its result.
 */
export function createTreasury(
  network: Network,
  { database, table, account, hasWaiting, next, again, settings, ...rest }: TreasuryDependencies,
): TransactionSender {
  const { now } = rest
  const { chainId } = network

  const prepare = ({ to, data, gas, scheduleRetry, amount, ...transfer }: Transfer): PreparedTransaction => ({
    ...{ to, data, gas, scheduleRetry, value: amount },
    contents: (position) => ({
      async lock(trx) {
        if (!(await transfer.lock(trx, position))) return false
        const spent = await sumTransfers(trx, table, { network: chainId, now: now(), except: position })
        return spent + amount + gas * position.fees.maxFeePerGas <= transfer.budget
      },
      async link(trx, txnHash) {
        await trx
          .insertInto(columnsOf(table))
          .values({
            ...{ txn_hash: txnHash, network: chainId, nonce: position.nonce, amount },
            ...{ sender: position.sender.toLowerCase(), created_at: now(), final: false },
            ...transfer.row?.(position),
          })
          // The same bytes, signed again after they were lost.
          .onConflict((conflict) =>
            conflict.column('txn_hash').doUpdateSet({ created_at: now(), final: false }),
          )
          .execute()
      },
    }),
  })

  const isListed = sql`from ${sql.table(table)} transfer where transfer.txn_hash = tx.txn_hash`
  const sender = createTransactionSender(network, {
    ...rest,
    database,
    account,
    source: {
      hasContents: sql<boolean>`exists (select ${isListed})`,
      hasOpenContents: sql<boolean>`exists (select ${isListed} and not transfer.final)`,
      reverted: async () => async () => {},
      hasWaiting,
      async next() {
        const transfer = await next()
        return transfer && prepare(transfer)
      },
      async again(txnHash) {
        const row = await database
          .selectFrom(`${columnsOf(table)} as transfer`)
          .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'transfer.txn_hash')
          .select(['transfer.amount', 'tx.gas_limit'])
          .where('transfer.txn_hash', '=', txnHash)
          .executeTakeFirst()
        if (!row) return undefined
        const { maxFeePerGas } = await network.fees()
        // Higher fees leave less of the budget for the transfer.
        const amount = row.amount - row.gas_limit * maxFeePerGas * maxFeeFactor
        const transfer = amount > 0n ? await again(txnHash, amount, row.gas_limit) : undefined
        return transfer && prepare(transfer)
      },
    },
    settings: { ...settings, maxInFlight: 1 },
  })
  return {
    ...sender,
    async drive() {
      await finishTransfers(database, table, network, account.address)
      return sender.drive()
    },
  }
}

/** Both tables have these columns. */
const columnsOf = (table: TreasuryTable) => table as 'gas_top_ups'

/** Marks an account's transfers in final blocks, so that they are not checked again. */
async function finishTransfers(
  database: Kysely<Database>,
  table: TreasuryTable,
  network: Network,
  sender: Address,
): Promise<void> {
  const open = await database
    .selectFrom(`${columnsOf(table)} as transfer`)
    .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'transfer.txn_hash')
    .select(['transfer.txn_hash', 'tx.block_number'])
    .where('transfer.network', '=', network.chainId)
    .where('transfer.sender', '=', sender.toLowerCase())
    .where('transfer.final', '=', false)
    .where('tx.state', '=', 'mined')
    .execute()
  if (open.length === 0) return
  const final = await network.finalizedBlock()
  const done = open.filter(({ block_number }) => block_number !== null && BigInt(block_number) <= final)
  if (done.length === 0) return
  const hashes = done.map(({ txn_hash }) => txn_hash)
  await database.updateTable(columnsOf(table)).set({ final: true }).where('txn_hash', 'in', hashes).execute()
}

/** Milliseconds. */
const hour = 3_600_000

/**
 * What the transfers of a network that were signed within the last hour can take from the account, in any state: a signed
 * transaction cannot be revoked. Of those with the same nonce, the largest counts.
 *
 * @param of.except - transactions with this nonce are left out: at most one of them is ever mined
 * @returns wei, with fees
 */
export async function sumTransfers(
  database: Kysely<Database>,
  table: TreasuryTable,
  {
    network,
    now,
    except,
  }: {
    readonly network: number
    readonly now: Date
    readonly except?: Pick<TransactionPosition, 'sender' | 'nonce'>
  },
): Promise<bigint> {
  const { rows } = await sql<{ sender: string; nonce: number; max: string | bigint }>`
    select transfer.sender, transfer.nonce, max(transfer.amount + tx.gas_limit * tx.max_fee_per_gas)::text as max
    from ${sql.table(table)} transfer join relayer_transactions tx using (txn_hash)
    where transfer.network = ${network} and transfer.created_at > ${new Date(now.getTime() - hour)}::timestamptz
    group by transfer.sender, transfer.nonce`.execute(database)
  return rows
    .filter(({ sender, nonce }) => sender !== except?.sender.toLowerCase() || Number(nonce) !== except.nonce)
    .reduce((sum, { max }) => sum + BigInt(max), 0n)
}
