/** @module-tag all */

import { randomPrivateKey } from '@lanyard/testing'
import { createSmartAccountClient } from 'permissionless'
import { to7702SimpleSmartAccount } from 'permissionless/accounts'
import {
  type Address,
  createPublicClient,
  createTestClient,
  http,
  parseEther,
  publicActions,
  walletActions,
  zeroAddress,
} from 'viem'
import {
  createBundlerClient,
  entryPoint07Address,
  entryPoint08Address,
  toSimple7702SmartAccount,
} from 'viem/account-abstraction'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HttpService, startHttpService } from '../http-service.ts'
import { restClient } from '../rest.ts'

/* viem's and permissionless' accounts. Only the URL is set to this service. */

const payee: Address = '0x00000000000000000000000000000000000000Ad'

let service: HttpService
beforeAll(async () => {
  service = await startHttpService({}, { accountKinds: ['safe', 'eip7702'] })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const publicClient = () =>
  createPublicClient({ chain: foundry, transport: http(service.node.rpcUrl), pollingInterval: 25 })
const chain = () =>
  createTestClient({
    mode: 'anvil',
    chain: foundry,
    transport: http(service.node.rpcUrl),
    pollingInterval: 25,
  })
    .extend(publicActions)
    .extend(walletActions)
const rpc = () => http(`${service.url}/rpc/${service.node.chainId}`)

async function newAccount() {
  const owner = privateKeyToAccount(randomPrivateKey())
  await chain().setBalance({ address: owner.address, value: parseEther('1') })
  const account = await toSimple7702SmartAccount({ client: publicClient(), owner })
  const bundler = createBundlerClient({
    ...{ account, client: publicClient(), transport: rpc(), pollingInterval: 25 },
  })
  return { owner, account, bundler }
}

const authorize = async (owner: PrivateKeyAccount, address: Address, nonce?: number) =>
  owner.signAuthorization({
    ...{ chainId: service.node.chainId, address },
    nonce: nonce ?? (await publicClient().getTransactionCount({ address: owner.address })),
  })

describe('viem', () => {
  test('default: the first operation of an EOA delegates it, later ones need one signature', async () => {
    const { owner, account, bundler } = await newAccount()
    expect(await bundler.getSupportedEntryPoints()).toEqual([entryPoint07Address, entryPoint08Address])
    const authorization = await authorize(owner, account.authorization.address)
    for (const delegated of [false, true]) {
      expect(await account.isDeployed()).toBe(delegated)
      const hash = await bundler.sendUserOperation({
        calls: [{ to: payee, value: 1n }, { to: payee }],
        ...(!delegated && { authorization }),
      })
      const receipt = await bundler.waitForUserOperationReceipt({ hash })
      expect(receipt).toMatchObject({
        ...{ success: true, sender: account.address, userOpHash: hash },
        entryPoint: entryPoint08Address,
      })
      expect(receipt.receipt.type).toBe(delegated ? 'eip1559' : 'eip7702')
      expect(receipt.actualGasUsed).toBeGreaterThanOrEqual(receipt.receipt.gasUsed)
      const found = await bundler.getUserOperation({ hash })
      expect(found).toMatchObject({ entryPoint: entryPoint08Address })
      const { body } = await restClient(service.url).get(
        `/smart-account/transaction/status?userOpHash=${hash}`,
      )
      expect(body).toMatchObject({ state: 'included', success: true })
    }
  })

  test('behavior: an operation is not lost if the EOA sends a transaction of its own before', async () => {
    const { owner, account, bundler } = await newAccount()
    const authorization = await authorize(owner, account.authorization.address)
    await chain().sendTransaction({ account: owner, to: payee, value: 1n })
    await expect.poll(() => publicClient().getTransactionCount({ address: owner.address })).toBe(1)
    await expect(bundler.sendUserOperation({ calls: [{ to: payee }], authorization })).rejects.toThrow(
      /The authorisation can no longer be used: it has the nonce 0/,
    )
    // The same operation with another authorisation.
    const hash = await bundler.sendUserOperation({
      calls: [{ to: payee }],
      authorization: await authorize(owner, account.authorization.address),
    })
    expect(await bundler.waitForUserOperationReceipt({ hash })).toMatchObject({ success: true })
  })

  test('behavior: concurrent operations of many EOAs', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, newAccount))
    const receipts = await Promise.all(
      accounts.map(async ({ owner, account, bundler }) => {
        const authorization = await authorize(owner, account.authorization.address)
        const hash = await bundler.sendUserOperation({ calls: [{ to: payee }], authorization })
        return bundler.waitForUserOperationReceipt({ hash })
      }),
    )
    expect(receipts.every(({ success }) => success)).toBe(true)
  })

  test.each([
    ['another delegate', /Expected an authorisation for 0x/, payee, undefined],
    ['a later nonce', /Sign one with the nonce of now/, undefined, 1],
  ])('error: an authorisation with %s', async (_, message, delegate, nonce) => {
    const { owner, account, bundler } = await newAccount()
    const authorization = await authorize(owner, delegate ?? account.authorization.address, nonce)
    await expect(bundler.sendUserOperation({ calls: [{ to: payee }], authorization })).rejects.toThrow(
      message,
    )
  })

  test('error: an authorisation of another key, one for all chains, and none', async () => {
    const { owner, account, bundler } = await newAccount()
    const { owner: other } = await newAccount()
    const { address } = account.authorization
    const send = (authorization?: Awaited<ReturnType<typeof authorize>>) =>
      bundler.sendUserOperation({ calls: [{ to: payee }], ...(authorization && { authorization }) })
    await expect(send(await authorize(other, address))).rejects.toThrow(/is not signed by/)
    await expect(send(await owner.signAuthorization({ chainId: 0, address, nonce: 0 }))).rejects.toThrow(
      /for all chains/,
    )
    await expect(send()).rejects.toThrow(/is not signed by/) // viem sends its stub
  })

  test('error: an EOA that revoked its delegation, and one that is delegated to another contract', async () => {
    for (const [delegate, message] of [
      [zeroAddress, /is not delegated, and the operation has no authorisation/],
      [payee, /is delegated to 0x/],
    ] as const) {
      const { owner, account, bundler } = await newAccount()
      const first = await bundler.sendUserOperation({
        calls: [{ to: payee }],
        authorization: await authorize(owner, account.authorization.address),
      })
      await bundler.waitForUserOperationReceipt({ hash: first })
      const prepared = await bundler.prepareUserOperation({ calls: [{ to: payee }] })
      const signature = await account.signUserOperation(prepared)
      const hash = await chain().sendTransaction({
        ...{ account: owner, to: payee },
        authorizationList: [await authorize(owner, delegate, 2)],
      })
      await publicClient().waitForTransactionReceipt({ hash })
      await expect(
        bundler.sendUserOperation({ ...prepared, signature, entryPointAddress: entryPoint08Address }),
      ).rejects.toThrow(message)
    }
  })

  test('error: the service pays for no delegated EOA', async () => {
    const { account } = await newAccount()
    const response = await fetch(`${service.url}/rpc/${service.node.chainId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'pm_getPaymasterStubData' },
        params: [
          { sender: account.address, nonce: '0x0', callData: '0x' },
          entryPoint08Address,
          '0x7a69',
          {},
        ],
      }),
    })
    expect(await response.json()).toMatchObject({
      error: { code: -32501, message: expect.stringContaining('EntryPoint v0.7 only') },
    })
  })
})

describe('permissionless', () => {
  test('behavior: the smart account client sends for an EOA', async () => {
    const owner = privateKeyToAccount(randomPrivateKey())
    await chain().setBalance({ address: owner.address, value: parseEther('1') })
    const account = await to7702SimpleSmartAccount({ client: publicClient(), owner })
    const client = createSmartAccountClient({
      ...{ account, client: publicClient(), chain: foundry, bundlerTransport: rpc(), pollingInterval: 25 },
    })
    const authorization = await authorize(owner, account.authorization.address)
    const calls = [{ to: payee, value: 1n }]
    await expect(client.sendUserOperation({ calls, authorization })).rejects.toThrow(/Expected 0x7702 beside/)
    // permissionless leaves the marker to its caller.
    const marker = { factory: '0x7702', factoryData: '0x' } as const
    for (const more of [{ authorization, ...marker }, {}]) {
      const hash = await client.sendUserOperation({ calls, ...more })
      expect(await client.waitForUserOperationReceipt({ hash })).toMatchObject({ success: true })
    }
  })
})
