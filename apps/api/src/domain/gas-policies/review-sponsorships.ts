import { fromWireUserOperation, type UserOperation, type WireUserOperation } from '@lanyard/accounts'
import { ownPaymasters } from '@lanyard/bundler'
import {
  countVerdicts,
  type Database,
  findOldestOpenBlock,
  hasOpenVerdicts,
  markTaken,
  recordVerdict,
} from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { getAddress } from 'viem'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { type EventLog, readEvents, readFeePaid } from '../operations/track/inclusion.ts'
import { takeFromBudgets } from './gas-budgets.ts'
import type { GasPolicy } from './gas-policy.ts'
import { suspend } from './suspensions.ts'

export interface ReviewDependencies {
  readonly database: Kysely<Database>
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'countSuspension'>
  readonly policies: readonly GasPolicy[]
  readonly now: () => Date
}

/** How far this process has read a network's events; lost with it, and then read again. */
export interface ReviewState {
  readUntil: bigint | undefined
}

/** Number of operations of an account in a day that may be idle. */
const strikes = 2
const day = 24 * 3_600_000

/** Blocks that are read twice: a reorg may have moved an event, and two URLs of one network differ. */
const overlap = 5n

/** Whether policies pay for operations whose inclusion has no verdict yet. */
export async function hasSponsorshipsToReview(
  { database, now }: Pick<ReviewDependencies, 'database' | 'now'>,
  network: number,
): Promise<boolean> {
  return hasOpenVerdicts(database, network, Math.floor(now().getTime() / 1000))
}

/**
 * Looks at how sponsored operations were included. Nothing on chain binds an operation to this service's
 * relayers, so whoever asked for it can bring it to EntryPoint and receive what the paymaster is charged. Such
 * an operation counts in the budgets at once, and its account is suspended. One that a relayer of ours published
 * suspends no account: anyone who reads the pool may have brought it (`raced`).
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function reviewSponsorships(
  dependencies: ReviewDependencies,
  network: Network,
  state: ReviewState,
): Promise<void> {
  const { database } = dependencies
  const { chainId, config } = network
  const { number: head } = await network.head()
  if (state.readUntil !== undefined && head <= state.readUntil) return
  const oldest = await findOldestOpenBlock(database, chainId)
  if (config.smartBalance === undefined || oldest === undefined) return
  const since = state.readUntil === undefined ? 0n : state.readUntil - overlap
  const fromBlock = since > oldest ? since : oldest
  const paymaster = ownPaymasters(config).map((address) => getAddress(address))
  for (const event of await readEvents(network, { filter: { paymaster }, fromBlock }))
    await review(dependencies, network, event)
  state.readUntil = head
}

async function review(dependencies: ReviewDependencies, network: Network, event: EventLog): Promise<void> {
  const { database, log, metrics, now, policies } = dependencies
  const { userOpHash, actualGasUsed } = event.args
  const row = await findWithoutVerdict(database, userOpHash)
  if (!row) return
  const policy = policies.find(({ id }) => id === row.payment.policy)
  const isFree = network.config.bundler.kind === 'remote' || (policy?.effect === 'allow' && policy.anyBundler)
  const sender = isFree ? 'ours' : await findSender(database, event)
  const isIdle = row.operation !== undefined && usesFarLess(row.operation, actualGasUsed)
  const verdict =
    row.payment.kind === 'token'
      ? await verdictOnPayment(network, event)
      : sender === 'others'
        ? 'foreign'
        : isIdle
          ? 'idle'
          : sender === 'ours'
            ? 'fair'
            : 'raced'
  const isFirst = await database.transaction().execute(async (transaction) => {
    if (!(await recordVerdict(transaction, row.payment, verdict))) return false
    // It is on chain, whatever the budgets say.
    if (await markTaken(transaction, row.payment, true)) await takeFromBudgets(transaction, row.payment)
    return true
  })
  if (!isFirst || verdict === 'fair' || verdict === 'raced') return
  const times = await countVerdicts(database, row.payment, verdict, new Date(now().getTime() - day))
  if (verdict === 'idle' && times <= strikes) return
  const reason = describe(verdict, userOpHash, times)
  await database
    .transaction()
    .execute((transaction) => suspend(transaction, row.payment, { verdict, reason, userOpHash, now: now() }))
  metrics.countSuspension({ network: network.chainId, reason: verdict })
  log.warn(
    {
      ...{ network: network.chainId, account: row.payment.account, policy: row.payment.policy },
      ...{ userOpHash, txnHash: event.transactionHash, verdict },
    },
    'an account gets no more sponsored gas for some time',
  )
}

/** It does not matter who sent it: an operation that paid costs the service nothing. */
async function verdictOnPayment(network: Network, event: EventLog): Promise<'fair' | 'unpaid'> {
  return (await readFeePaid(network, event)) === undefined ? 'unpaid' : 'fair'
}

function describe(verdict: 'foreign' | 'idle' | 'unpaid', userOpHash: string, times: number): string {
  if (verdict === 'unpaid')
    return `The operation ${userOpHash} was to pay for its gas in a token, and did not.`
  if (verdict === 'foreign')
    return `The sponsored operation ${userOpHash} was sent to the entry point by others, not through this service.`
  return `${times} sponsored operations within a day used less than half of the gas that they claimed to need, the last one ${userOpHash}.`
}

async function findWithoutVerdict(database: Kysely<Database>, userOpHash: string) {
  const row = await database
    .selectFrom('sponsorships')
    .leftJoin('operations', 'operations.user_op_hash', 'sponsorships.user_op_hash')
    .selectAll('sponsorships')
    .select('operations.user_op')
    .where('sponsorships.user_op_hash', '=', userOpHash)
    .where('sponsorships.verdict', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { user_op, ...payment } = row
  // The build of an account that gave way to another is gone.
  if (user_op === null) return { payment, operation: undefined }
  const read = fromWireUserOperation(user_op as WireUserOperation) // it checks every field
  return read.ok ? { payment, operation: read.operation } : undefined
}

/** `raced`: a transaction of ours carried it, so that others could read it before it was mined. */
async function findSender(
  database: Kysely<Database>,
  { transactionHash, args }: EventLog,
): Promise<'ours' | 'raced' | 'others'> {
  const carried = await database
    .selectFrom('relayer_transaction_operations')
    .select('txn_hash')
    .where('user_op_hash', '=', args.userOpHash)
    .execute()
  if (carried.some(({ txn_hash }) => txn_hash === transactionHash)) return 'ours'
  return carried.length > 0 ? 'raced' : 'others'
}

/** Below this, the penalty for unused gas is worth nobody's while. Units of gas. */
const smallCallGas = 100_000n

/** Counts validation as if it used nothing, in favour of the operation. */
const usesFarLess = ({ callGasLimit, preVerificationGas }: UserOperation, used: bigint): boolean =>
  callGasLimit > smallCallGas && used < preVerificationGas + callGasLimit / 2n
