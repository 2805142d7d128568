import type { Command } from 'commander'
import { type Address, formatEther } from 'viem'
import { ofNetworks, ofRecorded } from '../manual.ts'
import { parseAddress, parseNative, type SendOptions } from '../options.ts'
import { callOf, sendOne, withCall, withStatus } from '../owner-command.ts'
import { readPaymasterFunds } from '../paymaster-funds.ts'

/** As parsed from the command line. */
interface AmountOptions extends SendOptions {
  readonly amount: bigint
  readonly to?: Address
}

/** `lanyard gas-deposit status|add|withdraw`. */
export function addGasDeposit(group: Command): void {
  withStatus(
    group.command('status').description('show the deposit'),
    { environment: ofNetworks, examples: ['gas-deposit status --network 8453'] },
    async (session) => {
      const { gasDeposit } = await readPaymasterFunds(session)
      const lines = [
        `SmartBalance ${session.contract.address}`,
        `  gas deposit       ${formatEther(gasDeposit)} of the native coin`,
      ]
      return { lines, result: { gasDeposit } }
    },
  )
  withCall<AmountOptions>(group.command('add').description('add to the deposit'), {
    environment: { ...ofNetworks, ...ofRecorded, DEPLOYER_PRIVATE_KEY: 'needed: the payer; anyone may pay' },
    examples: ['gas-deposit add --network 8453 --amount 0.005'],
    caller: 'anyone',
    act({ contract }, { amount }) {
      const description = `add ${formatEther(amount)} of the native coin to the gas deposit`
      return sendOne(callOf(contract, description, 'depositGas', [], amount), { amount })
    },
  }).requiredOption('--amount <coins>', 'amount of the native coin', parseNative)
  withCall<AmountOptions>(group.command('withdraw').description('withdraw from the deposit'), {
    examples: ['gas-deposit withdraw --network 8453 --amount 0.05'],
    // EntryPoint rejects a withdrawal of more than the deposit.
    act({ contract, owner }, { amount, to = owner.account.address }) {
      const description = `withdraw ${formatEther(amount)} of the native coin from the gas deposit to ${to}`
      return sendOne(callOf(contract, description, 'withdrawGas', [to, amount]), { to, amount })
    },
  })
    .requiredOption('--amount <coins>', 'amount of the native coin', parseNative)
    .option('--to <address>', 'the recipient (default: the owner)', parseAddress)
}
