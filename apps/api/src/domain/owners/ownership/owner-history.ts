import type { Database } from '@lanyard/database'
import { nextAttempt } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { ownershipAbi } from '@lanyard/onchain'
import type { Kysely } from 'kysely'
import { type Address, decodeFunctionResult, encodeFunctionData, getAddress, zeroHash } from 'viem'
import { listMessages } from '../recovery/list-messages.ts'
import type { Message } from '../recovery/recovery-outcome.ts'

/** Messages that one pass looks for. Each takes a read for each halving of the chain: 27 on one with 100 million blocks. */
const maxMessages = 4

/** Milliseconds between attempts, doubled each time: a node may keep no state of old blocks. */
const backoff = { initial: 10_000, max: 3_600_000 } as const

/**
 * Milliseconds after a search that read everything and found nothing: the account raised its sequence by itself (`resync`), which
 * is no message, and no later search finds one.
 */
const foundNothing = { initial: 3_600_000, max: 30 * 86_400_000 } as const

/**
 * The first sequences that a network has consumed and of which this service knows no message, at most as many as one pass
 * looks for. The account itself chooses how far its sequence is (`resync`), so all of them may be more than memory holds.
 */
export function findUnknown(sequence: bigint, messages: readonly Message[]): readonly bigint[] {
  const known = new Set(messages.map((message) => message.sequence))
  const unknown: bigint[] = []
  for (let one = 0n; one < sequence && unknown.length < maxMessages; one++) {
    if (!known.has(one)) unknown.push(one)
  }
  return unknown
}

/** Has the worker look for the owner changes of an account that a network applied before this service read its logs. */
export async function requestHistory(
  database: Kysely<Database>,
  { account, network, now }: { readonly account: Address; readonly network: number; readonly now: Date },
): Promise<void> {
  await database
    .insertInto('owner_histories')
    .values({ network, account: account.toLowerCase(), next_attempt_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findDueHistory(
  database: Kysely<Database>,
  network: number,
  now: Date,
): Promise<{ readonly account: Address; readonly attempts: number } | undefined> {
  const row = await database
    .selectFrom('owner_histories')
    .select(['account', 'attempts'])
    .where('network', '=', network)
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst()
  return row && { account: getAddress(row.account), attempts: row.attempts }
}

interface HistoryDependencies {
  readonly database: Kysely<Database>
  readonly now: () => Date
}

/**
 * Finds the blocks of the oldest unknown messages of an account, and imports each. The module's state says at any block how
 * many messages it has consumed, so a block is found by halving the chain instead of reading all its logs: that works on any
 * provider that keeps the state of old blocks.
 *
 * @param importBlock - takes what the module logged about the account in a final block
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, also if the node has no state of a block; it is tried again later
 */
export async function importHistory(
  { database, now }: HistoryDependencies,
  { network, module }: { readonly network: Network; readonly module: Address },
  { account, attempts }: { readonly account: Address; readonly attempts: number },
  importBlock: (block: bigint) => Promise<void>,
): Promise<void> {
  const row = database.updateTable('owner_histories')
  const write = (next: { readonly attempts: number; readonly next_attempt_at: Date }) =>
    row
      .set(next)
      .where('network', '=', network.chainId)
      .where('account', '=', account.toLowerCase())
      .execute()
  await write({ attempts: attempts + 1, next_attempt_at: nextAttempt(attempts, now(), backoff) })
  const read = (block: bigint) => readState(network, module, account, block)
  const final = await network.finalizedBlock()
  const { sequence } = await read(final)
  const unknown = findUnknown(sequence, await listMessages(database, account))
  const isKnown = async (one: bigint) =>
    (await listMessages(database, account)).some((message) => message.sequence === one)
  let from = 0n
  for (const one of unknown) {
    const block = await findFirst({ from, to: final }, async (at) => (await read(at)).sequence > one)
    // Before the recovery that it may have cancelled: nobody starts that anywhere.
    await importBlock(block)
    if (!(await isKnown(one)) && block > from) {
      // A recovery is logged with its owners when it starts, a day or more before it is executed.
      // Guardians may have started others before, with lower numbers.
      const { number } = await read(block - 1n)
      const isStarted = async (at: bigint) => {
        const state = await read(at)
        return state.sequence === one && state.number === number && state.recovery !== zeroHash
      }
      await importBlock(await findFirst({ from, to: block - 1n }, isStarted))
    }
    from = block
  }
  const left = findUnknown(sequence, await listMessages(database, account))
  if (left.length > 0 && left.every((one, index) => one === unknown[index])) {
    return void (await write({
      attempts: attempts + 1,
      next_attempt_at: nextAttempt(attempts, now(), foundNothing),
    }))
  }
  if (left.length > 0) return void (await write({ attempts: 0, next_attempt_at: now() }))
  await database
    .deleteFrom('owner_histories')
    .where('network', '=', network.chainId)
    .where('account', '=', account.toLowerCase())
    .execute()
}

const stateOf = (account: Address) =>
  encodeFunctionData({ abi: ownershipAbi, functionName: 'stateOf', args: [account] })

/** The account's state at a block. Before the module's deployment, no message was consumed. */
async function readState(network: Network, module: Address, account: Address, blockNumber: bigint) {
  const { data } = await network.call((client) =>
    client.call({ to: module, data: stateOf(account), blockNumber }),
  )
  if (data === undefined || data === '0x') return { sequence: 0n, number: 0n, recovery: zeroHash }
  return decodeFunctionResult({ abi: ownershipAbi, functionName: 'stateOf', data })
}

/** The first block that meets a condition, which holds for `to` and for each block after the first one. */
async function findFirst(
  range: { readonly from: bigint; readonly to: bigint },
  meets: (block: bigint) => Promise<boolean>,
): Promise<bigint> {
  let { from, to } = range
  while (from < to) {
    const middle = (from + to) / 2n
    if (await meets(middle)) to = middle
    else from = middle + 1n
  }
  return to
}
