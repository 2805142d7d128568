/** @module-tag all */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { localTransport } from '@lanyard/devnet'
import { type Address, createTestClient, type Hex, parseEther, publicActions, walletActions } from 'viem'
import { entryPoint08Abi, entryPoint08Address } from 'viem/account-abstraction'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOrderService } from '../orders/order-service.ts'
import { writePolicies } from '../policies-file.ts'
import { createDelegatedAccount, newKey } from './delegated-account.ts'

/* SmartBalance works with EntryPoint v0.7 only, so external paymasters alone sponsor an EOA that is the account. */

const chainId = 31337

/** Pays for everyone: each call returns an empty context and the validation data 0. */
const paymaster: { readonly address: Address; readonly code: Hex } = {
  address: '0x00000000000000000000000000000000000Fa4e5',
  code: '0x604060005260606000f3',
}

interface RpcCall {
  readonly id: number
  readonly method: string
  readonly params: readonly [Record<string, string>, ...unknown[]]
}

/** The service of `paymaster`, which speaks ERC-7677. */
async function startPaymasterService() {
  const received: RpcCall[] = []
  const server = createServer(async (incoming, outgoing) => {
    let text = ''
    for await (const chunk of incoming) text += chunk
    const call = JSON.parse(text) as RpcCall
    received.push(call)
    const result = {
      paymaster: paymaster.address,
      paymasterData: '0x',
      ...(call.method === 'pm_getPaymasterStubData' && {
        paymasterVerificationGasLimit: '0x186a0',
        paymasterPostOpGasLimit: '0x0',
      }),
    }
    outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, result }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on TCP
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const external = newKey()
const own = newKey()
const started = new AsyncDisposableStack()
let service: Awaited<ReturnType<typeof startOrderService>>
let external7677: Awaited<ReturnType<typeof startPaymasterService>>
let rpcUrl: string
beforeAll(async () => {
  external7677 = started.use(await startPaymasterService())
  const budgets = { day: { wei: String(parseEther('1')) }, account: { total: { operations: 5 } } }
  const policies = [
    { id: 'safes', accountKinds: ['safe'], budgets },
    { id: 'ours', networks: [chainId], accounts: [own.address], budgets },
    {
      ...{ id: 'partner', networks: [chainId], accountKinds: ['eip7702'], budgets },
      paymaster: { url: external7677.url, context: { policyId: 'launch' }, validity: 900 },
    },
  ]
  service = started.use(
    await startOrderService({
      chainIds: [chainId],
      environment: { POLICIES_FILE: writePolicies(...policies) },
      settings: { accountKinds: ['safe', 'eip7702'] },
    }),
  )
  rpcUrl = service.service.services.networks.get(chainId).config.rpcUrls[0] ?? ''
  const chain = createTestClient({ mode: 'anvil', transport: localTransport(rpcUrl), pollingInterval: 25 })
    .extend(publicActions)
    .extend(walletActions)
  await chain.setCode({ address: paymaster.address, bytecode: paymaster.code })
  const [sender] = await chain.getAddresses()
  const hash = await chain.writeContract({
    ...{ address: entryPoint08Address, abi: entryPoint08Abi, functionName: 'depositTo' },
    ...{ args: [paymaster.address], value: parseEther('1'), account: sender ?? '0x', chain: null },
  })
  await chain.waitForTransactionReceipt({ hash })
})
afterAll(() => started.disposeAsync())

const sponsorshipsOf = ({ address }: { readonly address: Address }) =>
  service.database.db
    .selectFrom('sponsorships')
    .selectAll()
    .where('account', '=', address.toLowerCase())
    .execute()

test('behavior: an external paymaster pays for the first operation, which delegates, and for later ones', async () => {
  const account = await createDelegatedAccount(service.rest, rpcUrl, external)
  await account.chain.setBalance({ address: external.address, value: 0n })
  for (const first of [true, false]) {
    external7677.received.length = 0
    const build = await account.build({
      transactionDetails: [{ targetContractAddress: newKey().address, encodedData: '0x', value: '0' }],
      paymasterData: 'sponsored',
    })
    expect(build).toMatchObject({ status: 200 })
    expect(build.body.userOp.paymasterAndData).toContain(paymaster.address.slice(2).toLowerCase())
    for (const { params } of external7677.received)
      expect(params).toEqual([
        expect.objectContaining({ sender: external.address, ...(first && { factory: '0x7702' }) }),
        entryPoint08Address,
        '0x7a69',
        { policyId: 'launch' },
      ])
    expect(external7677.received.map(({ method }) => method)).toEqual([
      'pm_getPaymasterStubData',
      'pm_getPaymasterData',
    ])
    expect(await account.submit(await account.sign(build.body))).toMatchObject({
      status: 200,
      body: { success: true, userOpHash: build.body.messageToSign },
    })
  }
  expect(await account.chain.getBalance({ address: external.address })).toBe(0n)
  expect(await sponsorshipsOf(external)).toMatchObject([{ policy: 'partner' }, { policy: 'partner' }])
})

test('error: NOT_SUPPORTED_BY_ACCOUNT for the paymaster of the service; no budget is touched', async () => {
  const account = await createDelegatedAccount(service.rest, rpcUrl, own)
  const { db } = service.database
  const days = () => db.selectFrom('sponsorship_days').selectAll().execute()
  const before = await days()
  expect(await account.build({ paymasterData: 'sponsored' })).toMatchObject({
    status: 400,
    body: {
      code: 'NOT_SUPPORTED_BY_ACCOUNT',
      type: 'eip7702',
      use: expect.stringContaining('external paymaster for EntryPoint v0.8'),
    },
  })
  expect(await sponsorshipsOf(own)).toEqual([])
  expect(await days()).toEqual(before)
  expect((await account.send()).body).toMatchObject({ success: true }) // the account pays itself
})
