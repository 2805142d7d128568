import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { type Address, getAddress, isAddressEqual, type LocalAccount } from 'viem'
import type { SenderSettings, SenderStep } from '../sender/context.ts'
import { createTransactionSender, type PreparedTransaction } from '../sender/create-sender.ts'
import { isUnwanted, type SendOutcome } from '../sender/send-raw-transaction.ts'
import type { SenderEvent } from '../sender/sender-event.ts'
import { findRefilling, hasOpenRefill, hasRefill, refillContents, sumRefills } from './refill-contents.ts'
import type { RefillEvent } from './refill-event.ts'

/** Marks a sender's refills in final blocks, so that they are not checked again. */
export async function finishRefills(
  database: Kysely<Database>,
  table: 'relayer_refills' | 'gas_top_ups',
  network: Network,
  sender: Address,
): Promise<void> {
  const refills = table as 'gas_top_ups' // both have these columns
  const open = await database
    .selectFrom(`${refills} as refill`)
    .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'refill.txn_hash')
    .select(['refill.txn_hash', 'tx.block_number'])
    .where('refill.network', '=', network.chainId)
    .where('refill.sender', '=', sender.toLowerCase())
    .where('refill.final', '=', false)
    .where('tx.state', '=', 'mined')
    .execute()
  if (open.length === 0) return
  const final = await network.finalizedBlock()
  const done = open.filter(({ block_number }) => block_number !== null && BigInt(block_number) <= final)
  if (done.length === 0) return
  const hashes = done.map(({ txn_hash }) => txn_hash)
  await database.updateTable(refills).set({ final: true }).where('txn_hash', 'in', hashes).execute()
}

/** Milliseconds between looks at balances that need nothing. */
const pause = 15_000

/** A transfer of less than a twentieth of the target is not worth its cost. */
const minPart = 20n

/** A replacement offers at most so many times the market's fees (`withinMarket`). */
const maxFeeFactor = 8n

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
 * Fills up relayers from a treasury. Each transfer is counted and written before it is sent, under the treasury's
 * lease, and decided on balances that include every earlier one.
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
      sumRefills(database, { network: chainId, now: now() }),
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

  const prepare = ({
    relayer,
    amount,
    gas,
  }: Pick<Due, 'relayer' | 'amount' | 'gas'>): PreparedTransaction => ({
    ...{ to: relayer, data: '0x', value: amount, gas },
    contents: (position) =>
      refillContents({ ...position, network: chainId, relayer, amount, gas, budget: perHour, now }),
    scheduleRetry: async () => {}, // the next pass decides again
  })

  const sender = createTransactionSender(network, {
    database,
    account: treasury,
    source: {
      hasContents: hasRefill,
      hasOpenContents: hasOpenRefill,
      reverted: async () => async () => {},
      hasWaiting: async () => (await look()) !== undefined,
      async next() {
        if (current.isDecided) return undefined
        current.isDecided = true
        current.due = await decide()
        return current.due && prepare(current.due)
      },
      async again(txnHash) {
        const row = await database
          .selectFrom('relayer_refills as refill')
          .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'refill.txn_hash')
          .select(['refill.relayer', 'refill.amount', 'tx.gas_limit'])
          .where('refill.txn_hash', '=', txnHash)
          .executeTakeFirst()
        const to = row && getAddress(row.relayer)
        if (!to || !relayers.some((relayer) => isAddressEqual(relayer, to))) return undefined
        const { maxFeePerGas } = await network.fees()
        // Higher fees leave less of the budget for the relayer.
        const amount = row.amount - row.gas_limit * maxFeePerGas * maxFeeFactor
        return amount > 0n ? prepare({ relayer: to, amount, gas: row.gas_limit }) : undefined
      },
    },
    now,
    checkpoint,
    settings: { ...settings, maxInFlight: 1 },
    observe(event) {
      observeSender(event)
      if (event.kind === 'sent') current.sent = event
    },
  })

  return {
    hasWork: () => now().getTime() >= next,
    async pass() {
      await finishRefills(database, 'relayer_refills', network, treasury.address)
      const pass: Pass = { isDecided: false }
      current = pass
      const answer = await sender.drive()
      if (pass.due && pass.sent && answer !== undefined)
        observe({ ...pass.due, ...describe(pass.sent, answer) })
      // Soon again after a transfer: the next relayer may wait for its result.
      if (!pass.due) next = now().getTime() + pause
    },
  }
}

const describe = ({ nonce, hash }: SenderEvent, answer: SendOutcome): Partial<RefillEvent> => ({
  nonce,
  ...(hash && { hash }),
  ...(isUnwanted(answer) && { outcome: 'refused' as const, answer }),
})
