import { smartBalanceAbi } from '@lanyard/onchain'
import type { Command } from 'commander'
import { type Address, encodeFunctionData, formatEther } from 'viem'
import { ofNetworks, ofOwner, ofRecorded, withManual } from '../manual.ts'
import {
  type NetworkOptions,
  parseAddress,
  parseNative,
  type SendOptions,
  withNetwork,
  withSending,
} from '../options.ts'
import { readPaymasterFunds } from '../paymaster-funds.ts'
import { openAsOwner, openSmartBalance } from '../smart-balance-session.ts'

interface AddOptions extends NetworkOptions {
  readonly amount: bigint
}

/** `lanyard gas-deposit status|add|withdraw`. */
export function addGasDeposit(group: Command): void {
  const deposit = group
  withManual(withNetwork(deposit.command('status').description('show the deposit')), {
    environment: ofNetworks,
    examples: ['gas-deposit status --network 8453'],
  }).action((options: NetworkOptions) => showGasDeposit(options))
  const add = withSending(deposit.command('add').description('add to the deposit')).requiredOption(
    '--amount <coins>',
    'amount of the native coin',
    parseNative,
  )
  withManual(add, {
    environment: { ...ofNetworks, ...ofRecorded, DEPLOYER_PRIVATE_KEY: 'needed: the payer; anyone may pay' },
    opensKeys: true,
    examples: ['gas-deposit add --network 8453 --amount 0.005'],
  }).action((options: AddOptions) => addToGasDeposit(options))
  const withdraw = withSending(deposit.command('withdraw').description('withdraw from the deposit'))
    .requiredOption('--amount <coins>', 'amount of the native coin', parseNative)
    .option('--to <address>', 'the recipient (default: the owner)', parseAddress)
  withManual(withdraw, {
    environment: ofOwner,
    opensKeys: true,
    examples: ['gas-deposit withdraw --network 8453 --amount 0.05'],
  }).action((options: WithdrawOptions) => withdrawGasDeposit(options))
}

/** `lanyard gas-deposit status`. */
async function showGasDeposit(options: NetworkOptions): Promise<void> {
  const session = await openSmartBalance(options)
  const { gasDeposit } = await readPaymasterFunds(session)
  const { network, contract, output } = session
  output.say(`SmartBalance ${contract.address}`)
  output.say(`  gas deposit       ${formatEther(gasDeposit)} of the native coin`)
  output.finish({ network: network.chainId, smartBalance: contract.address, gasDeposit })
}

/** `lanyard gas-deposit add`: any account may do this. */
export async function addToGasDeposit(options: SendOptions & { readonly amount: bigint }): Promise<void> {
  const { amount } = options
  const { contract, send, finish } = await openAsOwner(options, { caller: 'anyone' })
  const sent = await send([
    {
      description: `add ${formatEther(amount)} of the native coin to the gas deposit`,
      to: contract.address,
      data: encodeFunctionData({ abi: smartBalanceAbi, functionName: 'depositGas' }),
      value: amount,
    },
  ])
  finish({ amount, sent })
}

/** As parsed from the command line. */
interface WithdrawOptions extends SendOptions {
  readonly amount: bigint
  readonly to?: Address
}

/** EntryPoint rejects a withdrawal of more than the deposit. */
async function withdrawGasDeposit(options: WithdrawOptions): Promise<void> {
  const { contract, owner, send, finish } = await openAsOwner(options)
  const { amount, to = owner.account.address } = options
  const sent = await send([
    {
      description: `withdraw ${formatEther(amount)} of the native coin from the gas deposit to ${to}`,
      to: contract.address,
      data: encodeFunctionData({ abi: smartBalanceAbi, functionName: 'withdrawGas', args: [to, amount] }),
    },
  ])
  finish({ to, amount, sent })
}
