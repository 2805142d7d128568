import { formatEther } from 'viem'
import type { NetworkOptions } from '../options.ts'
import { readPaymasterFunds } from '../paymaster-funds.ts'
import { openSmartBalance } from '../smart-balance-session.ts'

/** `lanyard gas-deposit status`. */
export async function showGasDeposit(options: NetworkOptions): Promise<void> {
  const session = await openSmartBalance(options)
  const { gasDeposit } = await readPaymasterFunds(session)
  const { network, contract, output } = session
  output.say(`SmartBalance ${contract.address}`)
  output.say(`  gas deposit       ${formatEther(gasDeposit)} of the native coin`)
  output.finish({ network: network.chainId, smartBalance: contract.address, gasDeposit })
}
