/** @module-tag all */
import { computeAccountAddress, defaultVerifiers } from '@lanyard/accounts'
import { SoftwareAuthenticator, webAuthnAccountOf } from '@lanyard/accounts/testing'
import { randomPrivateKey } from '@lanyard/testing'
import { toLanyardSmartAccount } from '@lanyard/viem'
import { createSmartAccountClient } from 'permissionless'
import { toSafeSmartAccount } from 'permissionless/accounts'
import { createPimlicoClient } from 'permissionless/clients/pimlico'
import { type Address, createPublicClient, defineChain, http, parseEther, toHex } from 'viem'
import {
  createBundlerClient,
  createPaymasterClient,
  entryPoint07Address,
  type SmartAccount,
} from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PasskeyService, startPasskeyService } from '../passkeys/passkey-service.ts'

/* Published clients. Only the URL is set to this service. */

let service: PasskeyService
beforeAll(async () => {
  service = await startPasskeyService({ smartBalance: true })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const payee: Address = '0x00000000000000000000000000000000000000Ad'
const chain = () => service.service.services.networks.get(31337).config
const publicClient = () =>
  createPublicClient({
    chain: defineChain({ ...foundry, rpcUrls: { default: { http: chain().rpcUrls } } }),
    transport: http(),
    pollingInterval: 25,
  })
const rpc = () => http(`${service.service.url}/rpc/31337`)
const fund = (address: Address) => service.chain.setBalance({ address, value: parseEther('1') })

const newKey = () => privateKeyToAccount(randomPrivateKey())
const newPasskey = () => webAuthnAccountOf(new SoftwareAuthenticator({ origin: 'http://localhost:3000' }))

/** Deploys the account with the first operation, sends another, and reads both outcomes. */
async function sendTwice(account: SmartAccount) {
  const client = publicClient()
  await fund(account.address)
  const bundler = createBundlerClient({ account, client, transport: rpc(), pollingInterval: 25 })
  expect(await bundler.getSupportedEntryPoints()).toEqual([entryPoint07Address])
  expect(await bundler.getChainId()).toBe(31337)
  for (const deployed of [false, true]) {
    expect(await account.isDeployed()).toBe(deployed)
    const hash = await bundler.sendUserOperation({ calls: [{ to: payee, value: 1n }, { to: payee }] })
    const receipt = await bundler.waitForUserOperationReceipt({ hash })
    expect(receipt).toMatchObject({ success: true, sender: account.address, userOpHash: hash })
    expect(receipt.receipt.status).toBe('success')
    const found = await bundler.getUserOperation({ hash })
    expect(found).toMatchObject({
      transactionHash: receipt.receipt.transactionHash,
      userOperation: { sender: account.address, nonce: BigInt(receipt.nonce) }, // viem does not decode the nonce
    })
    const { body } = await service.get<{ state: string; success: boolean }>(
      `/smart-account/transaction/status?userOpHash=${hash}`,
    )
    expect(body).toMatchObject({ state: 'included', success: true })
  }
}

describe('viem', () => {
  test('behavior: the bundler client sends for a Lanyard account of an unregistered EOA', async () => {
    await sendTwice(await toLanyardSmartAccount({ client: publicClient(), owner: newKey() }))
  })

  test('behavior: the bundler client sends for a registered passkey', async () => {
    const passkey = new SoftwareAuthenticator({ origin: 'http://localhost:3000' })
    const options = await service.registerOptions('viem-passkey')
    const challenge = new Uint8Array(Buffer.from(options.body.challenge, 'base64url'))
    const registered = await service.registerVerify(
      'viem-passkey',
      passkey.toJson(passkey.create({ challenge })),
    )
    const account = await toLanyardSmartAccount({ client: publicClient(), owner: webAuthnAccountOf(passkey) })
    expect(account.address).toBe(registered.body.wallet.scw_address)
    await sendTwice(account)
  })

  test('behavior: concurrent operations use different nonce keys', async () => {
    const account = await toLanyardSmartAccount({ client: publicClient(), owner: newKey() })
    await fund(account.address)
    const bundler = createBundlerClient({
      account,
      client: publicClient(),
      transport: rpc(),
      pollingInterval: 25,
    })
    const calls = [{ to: payee, value: 1n }]
    await bundler.waitForUserOperationReceipt({ hash: await bundler.sendUserOperation({ calls }) })
    const hashes = await Promise.all([1, 2, 3].map(() => bundler.sendUserOperation({ calls })))
    const receipts = await Promise.all(hashes.map((hash) => bundler.waitForUserOperationReceipt({ hash })))
    expect(receipts.map(({ success }) => success)).toEqual([true, true, true])
  })

  test('behavior: the service pays for the paymaster client (ERC-7677)', async () => {
    const account = await toLanyardSmartAccount({ client: publicClient(), owner: newKey() })
    const bundler = createBundlerClient({
      ...{ account, client: publicClient(), transport: rpc(), pollingInterval: 25 },
      paymaster: createPaymasterClient({ transport: rpc() }),
    })
    const hash = await bundler.sendUserOperation({ calls: [{ to: payee, data: '0xcafe' }] })
    const receipt = await bundler.waitForUserOperationReceipt({ hash })
    expect(receipt).toMatchObject({ success: true })
    expect(receipt.paymaster?.toLowerCase()).toBe(chain().smartBalance?.toLowerCase())
    expect(await service.chain.getBalance({ address: account.address })).toBe(0n)
  })
})

describe('permissionless', () => {
  const safeOf = (owner: ReturnType<typeof newKey> | ReturnType<typeof newPasskey>) =>
    toSafeSmartAccount({
      client: publicClient(),
      owners: [owner],
      version: '1.4.1',
      entryPoint: { address: entryPoint07Address, version: '0.7' },
      useMultiSendForSetup: owner.type === 'webAuthn',
      safeP256VerifierAddress: toHex(defaultVerifiers, { size: 22 }),
      saltNonce: 0n,
    })

  const pimlico = () =>
    createPimlicoClient({
      transport: rpc(),
      entryPoint: { address: entryPoint07Address, version: '0.7' },
    })

  test('behavior: its account, gas price and smart account client work unchanged', async () => {
    const owner = newKey()
    const account = await safeOf(owner)
    expect(account.address).toBe(computeAccountAddress({ kind: 'eoa', address: owner.address }))
    await fund(account.address)
    const client = createSmartAccountClient({
      account,
      chain: publicClient().chain,
      bundlerTransport: rpc(),
      pollingInterval: 25,
      userOperation: {
        estimateFeesPerGas: async () => (await pimlico().getUserOperationGasPrice()).fast,
      },
    })
    const hash = await client.sendTransaction({ to: payee, value: 1n, data: '0x' })
    expect(await publicClient().getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  })

  test('behavior: the service pays for its smart account client (ERC-7677)', async () => {
    const account = await safeOf(newKey())
    const client = createSmartAccountClient({
      ...{ account, chain: publicClient().chain, bundlerTransport: rpc(), pollingInterval: 25 },
      paymaster: createPaymasterClient({ transport: rpc() }),
      userOperation: { estimateFeesPerGas: async () => (await pimlico().getUserOperationGasPrice()).fast },
    })
    const hash = await client.sendTransaction({ to: payee, data: '0xcafe' })
    expect(await publicClient().getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    expect(await account.isDeployed()).toBe(true)
    expect(await service.chain.getBalance({ address: account.address })).toBe(0n)
  })

  test('behavior: its passkey account sends for a registered passkey', async () => {
    const passkey = new SoftwareAuthenticator({ origin: 'http://localhost:3000' })
    const options = await service.registerOptions('permissionless-passkey')
    const challenge = new Uint8Array(Buffer.from(options.body.challenge, 'base64url'))
    await service.registerVerify('permissionless-passkey', passkey.toJson(passkey.create({ challenge })))
    await sendTwice(await safeOf(webAuthnAccountOf(passkey)))
  })
})
