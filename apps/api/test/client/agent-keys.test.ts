/** @module-tag all */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sessionKeysAddress, settlementTokenAddress } from '@lanyard/devnet'
import { createMcpServer, openAgent } from '@lanyard/mcp'
import { createKeystore } from '@lanyard/signers'
import { startFakeSigner } from '@lanyard/signers/fake-signer'
import { randomPrivateKey } from '@lanyard/testing'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { type Address, erc20Abi, type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type SessionService, startSessionService } from '../session-keys/session-service.ts'

/* An agent whose session key is where its settings say. The chain takes what it signs. */

const chainId = 31337
const shop: Address = '0x00000000000000000000000000000000DeaDBeef'

let service: SessionService
beforeAll(async () => {
  service = await startSessionService({ chainIds: [chainId] })
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** An agent from a settings file, which the owner has allowed to pay, and the function that has it pay. */
async function openGranted(settings: object, prepare: (folder: string) => Promise<unknown> = async () => {}) {
  const folder = await mkdtemp(join(tmpdir(), 'lanyard-agent-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await prepare(folder)
  const wallet = await service.createFundedWallet([chainId])
  const path = join(folder, 'agent.json')
  const all = {
    ...{ url: service.service.url, walletUrl: 'http://localhost:5173', account: wallet.address },
    ...{ sessionKeys: sessionKeysAddress, name: 'Shopper', origin: 'http://localhost:7402' },
    ...{ contacts: { 'The shop': shop }, ...settings },
  }
  await writeFile(path, JSON.stringify(all))
  const { agent } = await openAgent(path)
  const permissions = [
    { type: 'erc20-token-allowance', token: settlementTokenAddress, allowance: '5000000' },
    { type: 'gas-fee-allowance', allowance: String(parseEther('1')), operations: 20 },
  ]
  const plan = await service.enable(wallet, chainId, agent.signer, permissions)
  expect(await service.approve(wallet, plan)).toMatchObject({ status: 200, body: { success: true } })

  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await createMcpServer(agent, undefined).connect(theirs)
  const client = new Client({ name: 'a model', version: '1' })
  await client.connect(ours)
  onTestFinished(() => client.close())
  return (reference: string) =>
    client.callTool({
      name: 'send_payment',
      arguments: { network: chainId, token: 'USDC', to: 'The shop', amount: '1.5', reference },
    })
}

const balanceOfShop = () =>
  service.on(chainId).chain.readContract({
    ...{ address: settlementTokenAddress, abi: erc20Abi, functionName: 'balanceOf', args: [shop] },
  })

test('default: pays with a key file whose passphrase a program prints', async () => {
  const passphrase = 'a passphrase of this test'
  const script = `console.log(${JSON.stringify(passphrase)})`
  const pay = await openGranted(
    { key: 'keystore:key.json', passphraseCommand: [process.execPath, '-e', script] },
    (folder) =>
      createKeystore({
        ...{ path: join(folder, 'key.json'), privateKey: randomPrivateKey(), passphrase },
        scrypt: { n: 2, r: 1, p: 1 },
      }),
  )
  const before = await balanceOfShop()
  expect((await pay('first')).structuredContent).toMatchObject({ status: 'paid' })
  expect((await balanceOfShop()) - before).toBe(1_500_000n)
})

test('behavior: pays with a key at a remote signer; while that fails, nothing is paid', async () => {
  const privateKey = randomPrivateKey()
  const seen: Hex[] = []
  let works = true
  await using signer = await startFakeSigner({
    keys: [privateKey],
    beforeSigning: ({ data }) => {
      if (!works) throw new Error('a rule of this signer')
      seen.push(data)
    },
  })
  const { address } = privateKeyToAccount(privateKey)
  const pay = await openGranted({ key: `remote:${address}`, signerUrl: signer.url })
  const before = await balanceOfShop()
  works = false
  expect(await pay('first')).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("The signer of this agent's keys") }],
  })
  expect(await balanceOfShop()).toBe(before)

  works = true
  expect((await pay('first')).structuredContent).toMatchObject({ status: 'paid' })
  expect((await balanceOfShop()) - before).toBe(1_500_000n)
  expect(seen).toEqual([expect.stringMatching(/^0x1901/)])
})
