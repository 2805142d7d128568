import { devRoles, localTransport } from '@lanyard/devnet'
import { smartBalanceAbi } from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import { createWalletClient, encodeFunctionData, parseEther, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { writePolicies } from '../policies-file.ts'
import { receiptOf } from '../receipt-of.ts'
import type { orderChains } from './order-chains.ts'

/** Keys that are no public ones, as a network that is not local needs them. */
export function productionKeys() {
  const secret = 'a-secret-of-32-characters-xxxxxx'
  const [relayer, operator, settler] = [randomPrivateKey(), randomPrivateKey(), randomPrivateKey()]
  return {
    ...{ secret, relayer: privateKeyToAccount(relayer), operator: privateKeyToAccount(operator) },
    environment: {
      API_KEYS: `server:${secret}`,
      RELAYER_PRIVATE_KEYS: relayer,
      OPERATOR_PRIVATE_KEY: operator,
      SETTLER_PRIVATE_KEY: settler,
      ROLES: 'api',
      POLICIES_FILE: writePolicies({ id: 'all', budgets: { day: { wei: String(parseEther('1')) } } }),
    },
  }
}

const tip = parseGwei('0.5')
const baseFee = parseGwei('1')

/** The operator's role and the relayer's money, and a market in which others pay a tip. */
export async function openMarket(
  { on, callAs }: ReturnType<typeof orderChains>,
  chainId: number,
  { operator, relayer }: ReturnType<typeof productionKeys>,
): Promise<void> {
  const { chain, smartBalance, rpcUrl } = on(chainId)
  const args = [operator.address, true] as const
  const data = encodeFunctionData({ abi: smartBalanceAbi, functionName: 'setOperator', args })
  await callAs(chainId, devRoles.owner.address, smartBalance, data)
  await chain.setBalance({ address: relayer.address, value: parseEther('10') })
  const payer = privateKeyToAccount(randomPrivateKey())
  await chain.setBalance({ address: payer.address, value: parseEther('10') })
  const wallet = createWalletClient({ account: payer, transport: localTransport(rpcUrl) })
  for (let block = 0; block < 8; block++) {
    await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFee })
    const fees = { maxFeePerGas: 2n * baseFee, maxPriorityFeePerGas: tip }
    await receiptOf(chain, await wallet.sendTransaction({ chain: null, to: payer.address, ...fees }))
  }
}
