import { type Devnet, devAccounts } from '@lanyard/devnet'
import { smartBalanceAbi } from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { RestClient } from '../rest.ts'
import { chainOf, fundAccount } from './fund-account.ts'

const sources = [31337, 31338] as const
const outputNetwork = 31339
const amount = 150_000_000n
const payee: Address = devAccounts[3]?.address ?? '0x000000000000000000000000000000000000bEEF'

export interface Spending {
  readonly account: Address
  readonly orderId: string
  /** Resolves with the answer, or with a text if the request fails. */
  readonly answered: Promise<unknown>
}

/** Spends 150 on the third network, from deposits of 100 on each of two networks. */
export async function spendOverRest(devnet: Devnet, rest: RestClient): Promise<Spending> {
  const owner = privateKeyToAccount(randomPrivateKey())
  const created = await rest.post('/smart-account/create', { eoaAddress: owner.address })
  const account: Address = created.body.wallet.scw_address
  const networks = devnet.networks.filter(({ chainId }) => chainId !== outputNetwork)
  await Promise.all(networks.map((network) => fundAccount(network, account, owner.address, 100_000_000n)))
  const output = devnet.networks.find(({ chainId }) => chainId === outputNetwork)
  if (!output) throw new TypeError('The devnet needs three networks')
  const build = await rest.post('/smart-account/transaction/build', {
    network: String(outputNetwork),
    walletAddress: account,
    transactionDetails: [
      {
        targetContractAddress: output.settlementToken.address,
        value: '0',
        encodedData: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transfer',
          args: [payee, amount * 10n ** BigInt(output.settlementToken.decimals - 6)],
        }),
      },
    ],
    orderData: { amount: amount.toString() },
  })
  expect(build).toMatchObject({ status: 200 })
  const signature: Hex = await owner.sign({ hash: build.body.messageToSign })
  const submission = { walletAddress: account, signature }
  return {
    account,
    orderId: build.body.order.orderId,
    answered: rest.post('/smart-account/transaction/submit', submission).catch(() => 'no answer'),
  }
}

/** Waits until the order ends, and expects one debit on each source with exactly the order's amount. */
export async function expectSettledOnce(devnet: Devnet, rest: RestClient, { account, orderId }: Spending) {
  const read = async () => (await rest.get(`/v3/smartbalance/order?orderId=${orderId}`)).body
  await expect.poll(async () => (await read()).state, { interval: 200 }).toBe('SETTLED')
  const order = await read()
  expect(order.debits.map(({ network }: { network: number }) => network)).toEqual(sources)
  let debited = 0n
  for (const debit of order.debits) {
    const network = devnet.networks.find(({ chainId }) => chainId === debit.network)
    if (!network) throw new TypeError(`There is no network ${debit.network}`)
    const chain = chainOf(network)
    const contract = { address: network.smartBalance, abi: smartBalanceAbi } as const
    const [balance] = await chain.readContract({ ...contract, functionName: 'accounts', args: [account] })
    expect(balance).toBe(100_000_000n - BigInt(debit.amount))
    const logs = await chain.getContractEvents({
      ...contract,
      eventName: 'OrderSettled',
      args: { account },
      fromBlock: 0n,
      strict: true,
    })
    expect(logs.map(({ args, transactionHash }) => [args.amount, transactionHash])).toEqual([
      [BigInt(debit.amount), debit.txnHash],
    ])
    debited += BigInt(debit.amount)
  }
  expect(debited).toBe(BigInt(order.total))
}
