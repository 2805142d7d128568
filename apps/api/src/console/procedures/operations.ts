import { toOperation } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import { type Database, findAccount, findUserByName, type OperationRow, olderThan } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'
import { getAddress } from 'viem'
import { z } from 'zod'
import { accountOf as contractsOf, toAnyWallet } from '../../domain/accounts/accounts/wallet.ts'
import { operatorProcedure, router } from '../console-trpc.ts'
import { findRecentHashes, shownStates } from '../views/recent-operations.ts'
import { nameFor } from '../views/shown-name.ts'

const pageSize = 50

const searched = z.object({
  /** A hash of an operation or transaction, the id of an order, an address, or a username. Absent: the latest. */
  query: z.string().trim().max(200).default(''),
  state: z.enum(shownStates).optional(),
  network: z.int().positive().optional(),
  /** The last operation of the previous page. */
  before: z.object({ at: z.iso.datetime(), id: z.string() }).optional(),
})

type Search = z.output<typeof searched>

export const operations = router({
  search: operatorProcedure.input(searched).query(async ({ ctx, input }) => {
    const rows = await findRows(
      ctx.database,
      input,
      ctx.services.networks.list().map((one) => one.chainId),
    )
    const last = rows.length > pageSize ? rows[pageSize - 1] : undefined
    return {
      operations: rows.slice(0, pageSize).map(toListed),
      /** For the next page; null on the last one. */
      before: last?.signed_at ? { at: last.signed_at.toISOString(), id: last.user_op_hash } : null,
    }
  }),
  detail: operatorProcedure
    .input(
      z.object({ hash: z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'Expected a hash: 0x and 64 hex digits') }),
    )
    .query(async ({ ctx, input: { hash } }) => {
      const { database } = ctx
      const row = await database
        .selectFrom('every_operation as operations')
        .selectAll()
        .where('user_op_hash', '=', hash.toLowerCase())
        .where('signed_at', 'is not', null)
        .executeTakeFirst()
      if (!row) throw new LanyardError('UNKNOWN_OPERATION')
      const [account, events, transactions, losses, sponsorship, order] = await Promise.all([
        findAccount(database, row.account),
        database
          .selectFrom('events')
          .selectAll()
          .where(sql<boolean>`data ->> 'userOpHash' = ${row.user_op_hash}`)
          .orderBy('id')
          .limit(100)
          .execute(),
        database
          .selectFrom('relayer_transaction_operations as part')
          .innerJoin('relayer_transactions as sent', 'sent.txn_hash', 'part.txn_hash')
          .select([
            'sent.txn_hash',
            'relayer',
            'nonce',
            'state',
            'sent.created_at',
            'sent_at',
            'part.position',
          ])
          .select(['block_number', 'max_fee_per_gas', 'max_priority_fee_per_gas', 'gas_limit'])
          .select(({ selectFrom, fn }) =>
            selectFrom('relayer_transaction_operations as other')
              .whereRef('other.txn_hash', '=', 'part.txn_hash')
              .select(fn.countAll<number>().as('count'))
              .as('operations'),
          )
          .where('part.user_op_hash', '=', row.user_op_hash)
          .orderBy('sent.created_at')
          .execute(),
        database
          .selectFrom('relayer_losses')
          .selectAll()
          .where('user_op_hash', '=', row.user_op_hash)
          .execute(),
        database
          .selectFrom('sponsorships')
          .selectAll()
          .where('user_op_hash', '=', row.user_op_hash)
          .executeTakeFirst(),
        database
          .selectFrom('orders')
          .select(['order_id', 'state', 'amount', 'fee'])
          .where('user_op_hash', '=', row.user_op_hash)
          .executeTakeFirst(),
      ])
      const decoded = account && contractsOf(toAnyWallet(account)).decodeCalls(toOperation(row).callData)
      const config = ctx.services.networks.list().find(({ chainId }) => chainId === row.network)?.config
      return {
        ...toListed(row),
        username: account ? nameFor(ctx.operator.role, account.username) : null,
        nonceKey: String(row.nonce_key),
        nonceSequence: String(row.nonce_sequence),
        signMode: row.sign_mode,
        deploys: row.deploys,
        replaces: row.replaces,
        value: String(row.value),
        attempts: row.attempts,
        blockHash: row.block_hash,
        validUntil: row.valid_until,
        /** The console decodes them as the wallet does (`@lanyard/calls`). */
        calls: decoded?.ok
          ? decoded.calls.map(({ value, ...call }) => ({ ...call, value: String(value) }))
          : [],
        /** What a call may be to the network's contracts; null for a network that the service no longer has. */
        contracts: config
          ? {
              nativeCurrency: config.nativeCurrency,
              settlementToken: config.settlementToken ?? null,
              smartBalance: config.smartBalance ?? null,
              sessionKeys: config.sessionKeys ?? null,
            }
          : null,
        callsProblem: !decoded || decoded.ok ? null : decoded.message,
        timeline: [
          { at: row.built_at, what: 'built', text: 'Built and stored.' },
          ...(row.signed_at
            ? [{ at: row.signed_at, what: 'signed', text: `Signed (${row.sign_mode}) and accepted.` }]
            : []),
          ...transactions.map((sent) => ({
            at: sent.created_at,
            what: 'bundled',
            text: `In a bundle of ${Number(sent.operations)}, place ${sent.position + 1}; relayer ${getAddress(sent.relayer)}, nonce ${sent.nonce}, at most ${sent.max_fee_per_gas} wei per gas.`,
            txnHash: sent.txn_hash,
            state: sent.state,
          })),
          ...events.map(({ created_at, type, data }) => ({
            at: created_at,
            what: type.replace('operation.', ''),
            ...describeEvent(data),
          })),
          ...losses.map(({ lost_at, reason, wei, owed, txn_hash }) => ({
            at: lost_at,
            what: 'loss',
            text: `${lossWords[reason]} ${wei} wei were lost, ${owed} of them are owed by the account.`,
            txnHash: txn_hash,
          })),
        ]
          .toSorted((a, b) => a.at.getTime() - b.at.getTime())
          .map(({ at, ...step }) => ({ at: at.toISOString(), ...step })),
        sponsorship: sponsorship
          ? {
              policy: sponsorship.policy,
              reserved: String(sponsorship.reserved),
              charged: sponsorship.charged === null ? null : String(sponsorship.charged),
              verdict: sponsorship.verdict,
            }
          : null,
        order: order
          ? { id: order.order_id, state: order.state, amount: String(order.amount), fee: String(order.fee) }
          : null,
      }
    }),
})

const lossWords = {
  reverted: 'Its validation failed on chain, and the bundle reverted.',
  raced: 'Somebody else brought it to the entry point first.',
  underpaid: 'It paid less than its transaction cost.',
} as const

const eventData = z.object({
  txnHash: z.string().optional(),
  blockNumber: z.string().optional(),
  gasCost: z.string().optional(),
  reason: z.object({ code: z.string(), message: z.string() }).optional(),
})

/** The database's trigger wrote it (migration 0020). */
function describeEvent(data: unknown): { text: string; txnHash?: string } {
  const { txnHash, blockNumber, gasCost, reason } = eventData.parse(data)
  const parts = [
    ...(blockNumber === undefined ? [] : [`Block ${blockNumber}.`]),
    ...(gasCost === undefined ? [] : [`Gas: ${gasCost} wei.`]),
    ...(reason === undefined ? [] : [`${reason.code}${reason.message === '' ? '' : `: ${reason.message}`}.`]),
  ]
  return { text: parts.join(' '), ...(txnHash !== undefined && { txnHash }) }
}

const toListed = (row: OperationRow) => ({
  hash: row.user_op_hash,
  account: getAddress(row.account),
  network: row.network,
  state: row.state,
  final: row.final,
  success: row.success,
  txnHash: row.txn_hash,
  blockNumber: row.block_number,
  gasCost: row.gas_cost === null ? null : String(row.gas_cost),
  signedAt: row.signed_at?.toISOString() ?? null,
  includedAt: row.included_at?.toISOString() ?? null,
  reason: row.reason_code === null ? null : { code: row.reason_code, message: row.reason_message ?? '' },
})

/** One more than a page, newest first. */
async function findRows(
  database: Kysely<Database>,
  search: Search,
  networks: readonly number[],
): Promise<OperationRow[]> {
  const { query } = search
  if (/^0x[0-9a-fA-F]{64}$/.test(query)) {
    const hashes = await hashesBehind(database, query.toLowerCase())
    return readRows(database, { ...search, hashes })
  }
  if (query === '') {
    const hashes = await findRecentHashes(database, { ...search, networks, limit: pageSize + 1 })
    return readRows(database, { ...search, hashes })
  }
  const isAddress = /^0x[0-9a-fA-F]{40}$/.test(query)
  const account = isAddress ? (await findAccount(database, query))?.address : await accountOf(database, query)
  return account === undefined ? [] : readRows(database, { ...search, account })
}

async function accountOf(database: Kysely<Database>, username: string): Promise<string | undefined> {
  const user = await findUserByName(database, username)
  if (!user) return undefined
  const row = await database
    .selectFrom('accounts')
    .select('address')
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  return row?.address
}

/** The operations that a hash stands for: its own, those of a bundle's transaction, or the one of an order. */
async function hashesBehind(database: Kysely<Database>, hash: string): Promise<readonly string[]> {
  const [bundled, ordered] = await Promise.all([
    database
      .selectFrom('relayer_transaction_operations')
      .select('user_op_hash')
      .where('txn_hash', '=', hash)
      .execute(),
    database.selectFrom('orders').select('user_op_hash').where('order_id', '=', hash).execute(),
  ])
  return [hash, ...[...bundled, ...ordered].flatMap(({ user_op_hash }) => user_op_hash ?? [])]
}

interface RowQuery extends Pick<Search, 'state' | 'network' | 'before'> {
  readonly hashes?: readonly string[]
  readonly account?: string
}

function readRows(
  database: Kysely<Database>,
  { hashes, account, state, network, before }: RowQuery,
): Promise<OperationRow[]> {
  if (hashes?.length === 0) return Promise.resolve([])
  // What waits is never in a past month.
  const table = state === 'waiting' ? 'operations' : 'every_operation'
  let query = database
    .selectFrom(`${table} as operations` as 'operations') // the view has the same columns
    .selectAll()
    .where('signed_at', 'is not', null)
    .orderBy('signed_at', 'desc')
    .orderBy('user_op_hash', 'desc')
    .limit(pageSize + 1)
  if (hashes) query = query.where('user_op_hash', 'in', hashes)
  if (account !== undefined) query = query.where('account', '=', account)
  if (network !== undefined) query = query.where('network', '=', network)
  if (before) {
    const end = { at: new Date(before.at), id: before.id }
    query = query.where(olderThan({ time: 'signed_at', id: 'user_op_hash' }, end))
  }
  // As literals, so that the planner sees which partial index fits.
  const failed = sql<boolean>`(state in ('dropped', 'expired') or success = false)`
  if (state === 'waiting')
    query = query
      .where('final', '=', sql.lit(false))
      .where(sql<boolean>`state in ('submitting', 'submitted')`)
  if (state === 'included') query = query.where('state', '=', 'included').where('success', '=', true)
  if (state === 'reverted') query = query.where('state', '=', sql.lit('included')).where(failed)
  if (state === 'dropped') query = query.where(sql<boolean>`state in ('dropped', 'expired')`).where(failed)
  return query.execute()
}
