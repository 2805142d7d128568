import { defaultDeployment } from '@lanyard/accounts'
import { privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { recordCosts } from '../../../test/record-costs.ts'
import { walletOfEoa } from '../accounts/accounts/wallet.ts'
import { hashMessageFor } from './account-message.ts'

const owner = privateKeyToAddress('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const wallet = walletOfEoa('safe', owner, defaultDeployment)
const typedData = {
  domain: { chainId: 31337 },
  types: { Order: [{ name: 'text', type: 'string' }] },
  primaryType: 'Order',
  message: { text: 'x'.repeat(20_000) },
}

/** Whatever a caller sends to be hashed takes another thread's time, which is charged. */
test.each([
  ['a text', { message: 'x'.repeat(20_000) }],
  ['bytes', { rawMessage: `0x${'ab'.repeat(20_000)}` as const }],
  ['typed data', { typedData }],
])('behavior: %s is hashed in another thread', async (_name, message) => {
  const { milliseconds } = await recordCosts(() => hashMessageFor(wallet, { chainId: 31337 }, message))
  expect(milliseconds).toBeGreaterThan(0)
})
