/** Sells the weather on the local network of `npm start`, and earns into a Lanyard account. */
import { createLanyardClient } from '@lanyard/client'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { startPaidApi } from './paid-api.ts'

const chainId = 31337
const lanyard = createLanyardClient({ baseUrl: process.env.LANYARD_URL ?? 'http://127.0.0.1:3000' })
const { networks } = await lanyard.system.networks()
const network = networks.find((one) => one.network === chainId)
if (!network?.settlementToken || !network.rpcUrl)
  throw new Error('This example needs the local networks of npm start.')

// The shop's account. PUBLIC keys: anvil's fourth and fifth accounts.
const owner = privateKeyToAccount('0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6')
const facilitator = privateKeyToAccount('0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a')
const { wallet } = await lanyard.smartAccount.create({ eoaAddress: owner.address })

const { url } = await startPaidApi({
  ...{ chainId, rpcUrl: network.rpcUrl, facilitator, port: Number(process.env.PORT ?? 4021) },
  token: { address: network.settlementToken.address as Address, name: 'USD Coin (local)', version: '2' },
  ...{ price: 10_000n, payTo: wallet.scw_address as Address }, // 0.01 USDC
})
console.log(`${url}/weather costs 0.01 USDC, paid to ${wallet.scw_address}`)
