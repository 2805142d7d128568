import { createTransactionSender, type PreparedTransaction, type SenderSettings } from '@lanyard/bundler'
import type { Network } from '@lanyard/networks'
import { type Address, encodeFunctionData, type LocalAccount } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import type { Env } from '../../../platform/environment/env.ts'
import { readGasDeposit } from '../orders/gas-deposit.ts'
import type { SettlementDependencies } from './dependencies.ts'
import { readHourlyGas } from './hourly-gas.ts'
import type { BalanceNetwork } from './networks.ts'
import { hasOpenTopUp, hasTopUp, sumTopUps, topUpContents } from './top-up-contents.ts'

/** Milliseconds between polls of a deposit that needs no top-up. */
const pause = 15_000

/** Below a twentieth of the target, a top-up is not worth its cost. */
const leastPart = 20n

/** Gas of a call of depositTo, with a margin. */
const gas = 100_000n

/** Keeps the gas deposit of SmartBalance at an hour's need. */
export interface TopUp {
  /**
   * One pass: tops up the deposit when half of it is used, within the hour's budget, and tracks sent
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
        return row && prepare(row.amount, await readHourlyGas(network, BigInt(env.TOP_UP_PER_HOUR)))
      },
    },
    now,
    checkpoint: (step) => checkpoint(`top-up:${step}`),
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
    const left = target > spent ? target - spent : 0n
    const missing = target - deposit
    const amount = missing < left ? missing : left
    const figures = { ...of, deposit: String(deposit), target: String(target), spent: String(spent) }
    if (amount * leastPart < target) {
      log.error(figures, 'the gas deposit is spent faster than the hourly budget tops it up')
      return undefined
    }
    if (balance < amount + gas * maxFeePerGas) {
      log.error({ ...figures, balance: String(balance) }, 'the top-up key has too little for the gas deposit')
      return undefined
    }
    return { amount, budget: target }
  }

  return {
    hasWork: () => now().getTime() >= next,
    async pass() {
      await finish(dependencies, network, account.address)
      wanted = await decide()
      if (wanted) await checkpoint('top-up:decided')
      else next = now().getTime() + pause
      await sender.drive()
    },
  }
}

/** Marks transactions in final blocks, so that they are not checked again. */
async function finish(
  { database }: SettlementDependencies,
  network: Network,
  sender: Address,
): Promise<void> {
  const open = await database
    .selectFrom('gas_top_ups')
    .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'gas_top_ups.txn_hash')
    .select('gas_top_ups.txn_hash')
    .select('tx.block_number')
    .where('gas_top_ups.network', '=', network.chainId)
    .where('gas_top_ups.sender', '=', sender.toLowerCase())
    .where('gas_top_ups.final', '=', false)
    .where('tx.state', '=', 'mined')
    .execute()
  if (open.length === 0) return
  const final = await network.finalizedBlock()
  const done = open.filter(({ block_number }) => block_number !== null && BigInt(block_number) <= final)
  if (done.length === 0) return
  await database
    .updateTable('gas_top_ups')
    .set({ final: true })
    .where(
      'txn_hash',
      'in',
      done.map(({ txn_hash }) => txn_hash),
    )
    .execute()
}
