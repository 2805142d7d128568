import { createLanyardClient, signBuild } from '@lanyard/client'
import { createPublicClient, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { network, recipient } from '../src/jar'
import { startService } from '../tools/service.js'

let service: Awaited<ReturnType<typeof startService>>
beforeAll(async () => {
  service = await startService()
}, 120_000)
afterAll(() => service?.stop())

test('a tip arrives on the local network', { timeout: 120_000 }, async () => {
  const lanyard = createLanyardClient({ baseUrl: service.url })
  const chain = createPublicClient({ transport: http(service.rpcUrl) })
  expect(await chain.getChainId()).toBe(network)

  // In the page a passkey signs. A key does the same without a browser.
  const owner = privateKeyToAccount(generatePrivateKey())
  const { wallet } = await lanyard.smartAccount.create({ eoaAddress: owner.address })
  const walletAddress = wallet.scw_address
  await lanyard.wallet.faucet({ walletAddress, network: String(network) })

  const before = await chain.getBalance({ address: recipient })
  const request = {
    network: String(network),
    walletAddress,
    transactionDetails: [
      { targetContractAddress: recipient, value: String(parseEther('0.01')), encodedData: '0x' },
    ],
  }
  const build = await lanyard.smartAccount.build(request)
  const signature = await signBuild({ build, request, signer: owner })
  const { success } = await lanyard.smartAccount.submit({ walletAddress, signature })
  expect(success).toBe(true)
  expect((await chain.getBalance({ address: recipient })) - before).toBe(parseEther('0.01'))
})
