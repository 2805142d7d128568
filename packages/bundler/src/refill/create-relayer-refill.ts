import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Address, getAddress, isAddressEqual, type LocalAccount } from 'viem'
import type { SenderSettings, SenderStep } from '../sender/context.ts'
import type { TransactionPosition } from '../sender/create-sender.ts'
import { isUnwanted, type SendOutcome } from '../sender/send-raw-transaction.ts'
import type { SenderEvent } from '../sender/sender-event.ts'
import type { RefillEvent } from './refill-event.ts'
import { createTreasury, idleInterval, minPart, sumTransfers, type Transfer } from './treasury.ts'

export interface RefillDependencies {
  readonly database: Kysely<Database>
  /** Sends its own coins, and signs nothing else. */
  readonly treasury: LocalAccount
  /** The accounts that it fills up. Nobody else ever gets anything. */
  readonly relayers: readonly Address[]
  /** When, how far, and how much in an hour; wei. */
  readonly limits: { readonly below: bigint; readonly target: bigint; readonly perHour: bigint }
  readonly now: () => Date
  readonly checkpoint?: (step: SenderStep) => void | Promise<void>
  readonly settings?: Partial<SenderSettings>
  readonly observe?: (event: RefillEvent) => void
  /** Called for each send, refusal and replacement of the treasury's own transactions. */
  readonly observeSender?: (event: SenderEvent) => void
}

/** Keeps relayers able to send. */
export interface RelayerRefill {
  /**
   * One pass: fills up the relayer that has least, if it has too little, and follows sent transactions. Any number
   * of processes may call it.
   *
   * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, SIGNER_UNAVAILABLE, SIGNER_FAILED; pending transactions are in
   * the table
   */
  pass(): Promise<void>
  /** Whether the next look is due. */
  hasWork(): boolean
}

interface Due extends RefillEvent {
  readonly gas: bigint
}

/** At most one transfer in a pass: the next one is decided on its result. */
interface Pass {
  isDecided: boolean
  due?: Due | undefined
  sent?: SenderEvent
}

/**
 * Fills up relayers from a treasury. Each transfer is decided under the treasury's lease, on balances that include every
 * earlier one. No relayer gets two at a time, even from different treasuries.
 */
export function createRelayerRefill(
  network: Network,
  {
    database,
    treasury,
    relayers,
    limits: { below, target, perHour },
    now,
    checkpoint = () => {},
    settings,
    observe = () => {},
    observeSender = () => {},
  }: RefillDependencies,
): RelayerRefill {
  const { chainId } = network
  let next = 0
  let current: Pass = { isDecided: false }

  async function look(): Promise<RefillEvent | undefined> {
    // The block first, and from the same endpoint: the balances are at least as new.
    const [block, funds, ...balances] = await network.call((client) =>
      Promise.all([
        client.getBlockNumber({ cacheTime: 0 }),
        client.getBalance({ address: treasury.address }),
        ...relayers.map((address) => client.getBalance({ address })),
      ]),
    )
    const [refilling, spent] = await Promise.all([
      findRefilling(database, chainId, block),
      sumTransfers(database, 'relayer_refills', { network: chainId, now: now() }),
    ])
    const [poorest] = relayers
      .map((relayer, index) => ({ relayer, balance: balances[index] ?? 0n }))
      .filter(({ relayer, balance }) => balance < below && !refilling.has(relayer.toLowerCase()))
      .sort((a, b) => (a.balance < b.balance ? -1 : 1))
    if (!poorest) return undefined
    return {
      ...{ network: chainId, treasury: treasury.address, outcome: 'sent', funds, spent },
      ...{ ...poorest, amount: target - poorest.balance },
    }
  }

  async function decide(): Promise<Due | undefined> {
    const looked = await look()
    if (!looked) return undefined
    const { relayer, funds, spent, amount: missing } = looked
    const [estimated, { maxFeePerGas }] = await Promise.all([
      // A rollup may count its data as gas.
      network.call((client) => client.estimateGas({ account: treasury.address, to: relayer, value: 0n })),
      network.fees(),
    ])
    const gas = estimated + estimated / 5n
    const fee = gas * maxFeePerGas
    const budget = perHour - spent - fee
    // A rollup charges for data besides the gas.
    const available = ((funds - fee) * (minPart - 1n)) / minPart
    const amount = [missing, budget, available].reduce((a, b) => (a < b ? a : b))
    if (amount * minPart >= target) return { ...looked, amount, gas }
    observe({ ...looked, amount: 0n, outcome: available < budget ? 'empty' : 'over-budget' })
    return undefined
  }

  const toTransfer = ({ relayer, amount, gas }: Pick<Due, 'relayer' | 'amount' | 'gas'>): Transfer => ({
    ...{ to: relayer, data: '0x', amount, gas, budget: perHour },
    async lock(trx, position) {
      await sql`lock table relayer_refills in share row exclusive mode`.execute(trx)
      return !(await isRefilledOtherwise(trx, chainId, relayer, position))
    },
    row: ({ fees }) => ({ relayer: relayer.toLowerCase(), fee: gas * fees.maxFeePerGas }),
    scheduleRetry: async () => {}, // the next pass decides again
  })

  const sender = createTreasury(network, {
    ...{ database, table: 'relayer_refills', account: treasury, now, checkpoint, settings },
    hasWaiting: async () => (await look()) !== undefined,
    async next() {
      if (current.isDecided) return undefined
      current.isDecided = true
      current.due = await decide()
      return current.due && toTransfer(current.due)
    },
    async again(txnHash, amount, gas) {
      const row = await database
        .selectFrom('relayer_refills')
        .select('relayer')
        .where('txn_hash', '=', txnHash)
        .executeTakeFirst()
      const to = row && getAddress(row.relayer)
      return to && relayers.some((relayer) => isAddressEqual(relayer, to))
        ? toTransfer({ relayer: to, amount, gas })
        : undefined
    },
    observe(event) {
      observeSender(event)
      if (event.kind === 'sent') current.sent = event
    },
  })

  return {
    hasWork: () => now().getTime() >= next,
    async pass() {
      const pass: Pass = { isDecided: false }
      current = pass
      const answer = await sender.drive()
      if (pass.due && pass.sent && answer !== undefined)
        observe({ ...pass.due, ...describe(pass.sent, answer) })
      // Soon again after a transfer: the next relayer may wait for its result.
      if (!pass.due) next = now().getTime() + idleInterval
    },
  }
}

const describe = ({ nonce, hash }: SenderEvent, answer: SendOutcome): Partial<RefillEvent> => ({
  nonce,
  ...(hash && { hash }),
  ...(isUnwanted(answer) && { outcome: 'refused' as const, answer }),
})

/**
 * Relayers that a refill may still reach: one waits to be mined, or is in a later block than the one whose balances
 * were read.
 *
 * @returns addresses in lower case
 */
async function findRefilling(
  database: Kysely<Database>,
  network: number,
  block: bigint,
): Promise<ReadonlySet<string>> {
  const rows = await database
    .selectFrom('relayer_refills as refill')
    .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'refill.txn_hash')
    .select('refill.relayer')
    .where('refill.network', '=', network)
    .where('refill.final', '=', false)
    .where((eb) => eb.or([eb('tx.state', '=', 'live'), eb('tx.block_number', '>', Number(block))]))
    .execute()
  return new Set(rows.map(({ relayer }) => relayer))
}

/** Whether another transaction, of any treasury, may still reach a relayer. */
async function isRefilledOtherwise(
  trx: Transaction<Database>,
  network: number,
  relayer: Address,
  { sender, nonce }: TransactionPosition,
): Promise<boolean> {
  const other = await trx
    .selectFrom('relayer_refills as refill')
    .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'refill.txn_hash')
    .select('refill.txn_hash')
    .where('refill.network', '=', network)
    .where('refill.relayer', '=', relayer.toLowerCase())
    .where('refill.final', '=', false)
    .where('tx.state', '=', 'live')
    .where((eb) => eb.or([eb('refill.sender', '<>', sender.toLowerCase()), eb('refill.nonce', '<>', nonce)]))
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}
