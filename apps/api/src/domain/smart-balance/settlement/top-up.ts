import {
  createTreasury,
  idleInterval,
  minPart,
  type SenderSettings,
  sumTransfers,
  type Transfer,
} from '@lanyard/bundler'
import type { Network } from '@lanyard/networks'
import { type Address, encodeFunctionData, type LocalAccount } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import type { Env } from '../../../platform/environment/env.ts'
import type { GaugeReading } from '../../../platform/metrics/metrics.ts'
import { logSender } from '../../../platform/metrics/observe.ts'
import { withReadTimeout } from '../../../platform/timeouts.ts'
import { readDeposit } from '../../gas-policies/read-deposit.ts'
import { lockOutputNetwork } from '../ledger/lock-output-network.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import type { BalanceNetwork, SettlementDependencies } from './dependencies.ts'

/** Gas of a call of depositTo, with a margin. */
const gas = 100_000n

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

  const toTransfer = (amount: bigint, budget: bigint): Transfer => ({
    to: config.entryPoint,
    data: encodeFunctionData({
      abi: entryPoint07Abi,
      functionName: 'depositTo',
      args: [contract.address],
    }),
    ...{ amount, gas, budget },
    async lock(trx) {
      await lockOutputNetwork(trx, chainId)
      return true
    },
    async scheduleRetry(outcome) {
      log.error({ ...of, outcome }, 'the node did not accept a top-up of the gas deposit')
    },
  })

  const sender = createTreasury(network, {
    ...{ database, table: 'gas_top_ups', account, now, settings },
    hasWaiting: async () => wanted !== undefined,
    async next() {
      const taken = wanted
      wanted = undefined
      return taken && toTransfer(taken.amount, taken.budget)
    },
    again: async (_txnHash, amount) =>
      toTransfer(amount, await readHourlyGas(network, BigInt(env.TOP_UP_PER_HOUR))),
    checkpoint: (step) => checkpoint(`top-up:${step}`),
    observe: logSender(log, 'topUp'),
  })

  async function decide() {
    const [deposit, target, balance, { maxFeePerGas }, spent] = await Promise.all([
      readDeposit(network, network.config.entryPoint, contract.address),
      readHourlyGas(network, BigInt(env.TOP_UP_PER_HOUR)),
      network.call((client) => client.getBalance({ address: account.address })),
      network.fees(),
      sumTransfers(database, 'gas_top_ups', { network: chainId, now: now() }),
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
      wanted = await decide()
      if (wanted) await checkpoint('top-up:decided')
      else next = now().getTime() + idleInterval
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
      read: ({ on }) => readDeposit(on.network, on.network.config.entryPoint, on.contract.address),
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
    read: ({ on }) => sumTransfers(database, 'gas_top_ups', { network: on.network.chainId, now: now() }),
  })
}
