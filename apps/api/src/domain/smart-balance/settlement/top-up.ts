import {
  createTransactionSender,
  finishRefills,
  type PreparedTransaction,
  type SenderSettings,
  type TransactionContents,
} from '@lanyard/bundler'
import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type Kysely, sql } from 'kysely'
import { type Address, encodeFunctionData, type LocalAccount } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import type { Env } from '../../../platform/environment/env.ts'
import type { GaugeReading } from '../../../platform/metrics/metrics.ts'
import { logSender } from '../../../platform/metrics/observe.ts'
import { withReadTimeout } from '../../../platform/timeouts.ts'
import { lockOutputNetwork } from '../ledger/lock-output-network.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import { readGasDeposit } from '../orders/paymaster-terms.ts'
import type { BalanceNetwork, SettlementDependencies } from './dependencies.ts'

/** Milliseconds between polls of a deposit that needs no top-up. */
const pause = 15_000

/** Below a twentieth of the target, a top-up is not worth its cost. */
const minPart = 20n

/** Gas of a call of depositTo, with a margin. */
const gas = 100_000n

/** A replacement offers at most so many times the market's fees (`withinMarket`). */
const maxFeeFactor = 8n

/** Keeps the gas deposit of SmartBalance at an hour's need. */
export interface TopUp {
  /**
   * One pass: tops up the deposit when half of it is used, within the hour's budget, fees included, and tracks sent
   * transactions. Any number of processes may call it for one account.
   *
   * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, SIGNER_UNAVAILABLE, SIGNER_FAILED; pending transactions are
   * in the table
   */
  pass(): Promise<void>
  /** Whether the next poll is due. */
  hasWork(): boolean
}

interface TopUpOptions {
  readonly account: LocalAccount
  readonly settings?: Partial<SenderSettings>
}

export function createTopUp(
  dependencies: SettlementDependencies & { readonly env: Pick<Env, 'TOP_UP_PER_HOUR'> },
  { network, contract }: BalanceNetwork,
  { account, settings }: TopUpOptions,
): TopUp {
  const { database, env, log, now, checkpoint } = dependencies
  const { chainId, config } = network
  const of = { network: chainId, topUp: account.address }
  let next = 0
  let wanted: { readonly amount: bigint; readonly budget: bigint } | undefined

  const prepare = (amount: bigint, budget: bigint): PreparedTransaction => ({
    to: config.entryPoint,
    data: encodeFunctionData({
      abi: entryPoint07Abi,
      functionName: 'depositTo',
      args: [contract.address],
    }),
    value: amount,
    gas,
    contents: (position) => topUpContents({ ...position, network: chainId, amount, budget, now }),
    async scheduleRetry(outcome) {
      log.error({ ...of, outcome }, 'the node did not accept a top-up of the gas deposit')
    },
  })

  const sender = createTransactionSender(network, {
    database,
    account,
    source: {
      hasContents: hasTopUp,
      hasOpenContents: hasOpenTopUp,
      reverted: async () => async () => {},
      hasWaiting: async () => wanted !== undefined,
      async next() {
        const taken = wanted
        wanted = undefined
        return taken && prepare(taken.amount, taken.budget)
      },
      async again(txnHash) {
        const row = await database
          .selectFrom('gas_top_ups')
          .select('amount')
          .where('txn_hash', '=', txnHash)
          .executeTakeFirst()
        if (!row) return undefined
        const [budget, { maxFeePerGas }] = await Promise.all([
          readHourlyGas(network, BigInt(env.TOP_UP_PER_HOUR)),
          network.fees(),
        ])
        // Higher fees leave less of the budget for the deposit.
        const amount = row.amount - gas * maxFeePerGas * maxFeeFactor
        return amount > 0n ? prepare(amount, budget) : undefined
      },
    },
    now,
    checkpoint: (step) => checkpoint(`top-up:${step}`),
    observe: logSender(log, 'topUp'),
    // One at a time: the next top-up depends on the result of this one.
    settings: { ...settings, maxInFlight: 1 },
  })

  async function decide() {
    const [deposit, target, balance, { maxFeePerGas }, spent] = await Promise.all([
      readGasDeposit(network, contract.address),
      readHourlyGas(network, BigInt(env.TOP_UP_PER_HOUR)),
      network.call((client) => client.getBalance({ address: account.address })),
      network.fees(),
      sumTopUps(database, { network: chainId, now: now() }),
    ])
    if (deposit * 2n >= target) return undefined
    const fee = gas * maxFeePerGas
    const left = target > spent + fee ? target - spent - fee : 0n
    const missing = target - deposit
    const amount = missing < left ? missing : left
    const figures = { ...of, deposit: String(deposit), target: String(target), spent: String(spent) }
    if (amount * minPart < target) {
      log.error(figures, 'the gas deposit is spent faster than the hourly budget tops it up')
      return undefined
    }
    if (balance < amount + fee) {
      log.error({ ...figures, balance: String(balance) }, 'the top-up key has too little for the gas deposit')
      return undefined
    }
    return { amount, budget: target }
  }

  return {
    hasWork: () => now().getTime() >= next,
    async pass() {
      await finishRefills(dependencies.database, 'gas_top_ups', network, account.address)
      wanted = await decide()
      if (wanted) await checkpoint('top-up:decided')
      else next = now().getTime() + pause
      await sender.drive()
    },
  }
}

const unitsOfToken = 1_000_000n
const ether = 10n ** 18n

/**
 * The maximum gas cost per hour on a network at the current price of its coin: the target of the gas deposit,
 * and the budget for topping it up.
 *
 * @param tokens - settlement tokens, TOP_UP_PER_HOUR
 * @returns wei
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readHourlyGas(network: Network, tokens: bigint): Promise<bigint> {
  return (tokens * unitsOfToken * ether) / (await network.nativePrice())
}

/** SQL condition on a row `tx` of relayer_transactions: it tops up a gas deposit. */
const hasTopUp = sql<boolean>`exists (select from gas_top_ups top_up where top_up.txn_hash = tx.txn_hash)`

/**
 * SQL condition on a row `tx` of relayer_transactions: it tops up a gas deposit, and no final block that
 * includes it has been read.
 */
const hasOpenTopUp = sql<boolean>`exists (
  select from gas_top_ups top_up where top_up.txn_hash = tx.txn_hash and not top_up.final)`

/** Milliseconds. */
const hour = 3_600_000

interface Spending {
  readonly network: number
  readonly now: Date
  /** Transactions of this nonce are left out: at most one of them is ever mined. */
  readonly except?: { readonly sender: Address; readonly nonce: number }
}

/**
 * What the top-ups that were signed for a network within the last hour can take from the key, in any state: a signed
 * transaction cannot be revoked. Of those with the same nonce, the largest counts.
 *
 * @returns wei, with fees
 */
async function sumTopUps(database: Kysely<Database>, { network, now, except }: Spending): Promise<bigint> {
  const { rows } = await sql<{ sender: string; nonce: number; most: string | bigint }>`
    select top_up.sender, top_up.nonce, max(top_up.amount + tx.gas_limit * tx.max_fee_per_gas)::text as most
    from gas_top_ups top_up join relayer_transactions tx using (txn_hash)
    where top_up.network = ${network} and top_up.created_at > ${new Date(now.getTime() - hour)}::timestamptz
    group by top_up.sender, top_up.nonce`.execute(database)
  return rows
    .filter(({ sender, nonce }) => sender !== except?.sender.toLowerCase() || Number(nonce) !== except.nonce)
    .reduce((sum, { most }) => sum + BigInt(most), 0n)
}

interface TopUpTransaction {
  readonly network: number
  readonly sender: Address
  readonly nonce: number
  readonly fees: { readonly maxFeePerGas: bigint }
  /** wei */
  readonly amount: bigint
  /** wei per hour, fees included. */
  readonly budget: bigint
  readonly now: () => Date
}

/**
 * A top-up as the contents of a transaction. It is counted in the transaction that writes the signed bytes,
 * under the network's lock, so that no process, even after a crash, signs more than an hour's budget.
 */
const topUpContents = ({
  network,
  sender,
  nonce,
  fees,
  amount,
  budget,
  now,
}: TopUpTransaction): TransactionContents => ({
  async lock(trx) {
    await lockOutputNetwork(trx, network)
    const spent = await sumTopUps(trx, { network, now: now(), except: { sender, nonce } })
    return spent + amount + gas * fees.maxFeePerGas <= budget
  },
  async link(trx, txnHash) {
    await trx
      .insertInto('gas_top_ups')
      .values({
        txn_hash: txnHash,
        network,
        sender: sender.toLowerCase(),
        nonce,
        amount,
        created_at: now(),
        final: false,
      })
      // The same bytes, signed again after they were lost.
      .onConflict((conflict) => conflict.column('txn_hash').doUpdateSet({ created_at: now(), final: false }))
      .execute()
  },
})

interface ToppedUp {
  readonly on: BalanceNetwork
  readonly address: Address
}

/** A gauge of networks; those that do not answer are absent. */
function addNetworkGauge<N extends { readonly on: BalanceNetwork }>(
  metrics: Pick<SmartBalanceServices['metrics'], 'addGauge'>,
  all: readonly N[],
  gauge: { readonly name: string; readonly help: string; read(one: N): Promise<bigint> },
): void {
  if (all.length === 0) return
  metrics.addGauge({
    name: gauge.name,
    help: gauge.help,
    labels: ['network'],
    async read() {
      const readings = await Promise.all(
        all.map((one): Promise<GaugeReading[]> => {
          const { network } = one.on
          return withReadTimeout(network, gauge.read(one)).then(
            (value) => [{ labels: { network: network.chainId }, value: Number(value) }],
            () => [],
          )
        }),
      )
      return readings.flat()
    },
  })
}

/** The deposit from which SmartBalance pays gas. It matters whether or not a key tops it up. */
export const addGasDepositGauge = (
  { metrics }: Pick<SmartBalanceServices, 'metrics'>,
  networks: readonly BalanceNetwork[],
): void =>
  addNetworkGauge(
    metrics,
    networks.map((on) => ({ on })),
    {
      name: 'gas_deposit_wei',
      help: 'Deposit of SmartBalance in EntryPoint, which pays for gas',
      read: ({ on }) => readGasDeposit(on.network, on.contract.address),
    },
  )

/** The balance of the account that tops up the deposit, and what it has spent. */
export function addTopUpGauges(
  { metrics, database, now }: Pick<SmartBalanceServices, 'metrics' | 'database' | 'now'>,
  all: readonly ToppedUp[],
): void {
  addNetworkGauge(metrics, all, {
    name: 'top_up_balance_wei',
    help: 'Native balance of the key that fills the gas deposit',
    read: ({ on, address }) => on.network.call((client) => client.getBalance({ address })),
  })
  addNetworkGauge(metrics, all, {
    name: 'topped_up_wei',
    help: 'Top-ups of the gas deposit signed within the last hour',
    read: ({ on }) => sumTopUps(database, { network: on.network.chainId, now: now() }),
  })
}
