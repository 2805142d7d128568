/** @module-tag all */
import { altoProgram, startAlto } from '@lanyard/bundler/testing'
import { devAccounts, localTransport } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, createWalletClient, type Hash, parseEther } from 'viem'
import { entryPoint07Abi, entryPoint07Address, toPackedUserOperation } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, startHttpService } from '../http-service.ts'
import { type PasskeyService, startPasskeyService } from '../passkeys/passkey-service.ts'
import {
  createRpcAccount,
  draftOperation,
  nodeClient,
  payee,
  prepare,
  type RpcAccount,
  rpcUrl,
  sendAccepted,
  waitForReceipt,
} from './rpc-client.ts'

/* Operations of the service's accounts that a third party sent. */

let service: PasskeyService
beforeAll(async () => {
  service = await startPasskeyService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const nodeUrl = () => service.service.services.networks.get(31337).config.rpcUrls[0] ?? ''

/** Lets a third party send an operation with plain `handleOps`. */
async function handleOps(account: RpcAccount): Promise<Hash> {
  const sender = privateKeyToAccount(devAccounts[5]?.privateKey ?? randomPrivateKey())
  const draft = await draftOperation(account)
  const signature = await account.signUserOperation(draft)
  const wallet = createWalletClient({ account: sender, chain: foundry, transport: localTransport(nodeUrl()) })
  const hash = await wallet.writeContract({
    address: entryPoint07Address,
    abi: entryPoint07Abi,
    functionName: 'handleOps',
    args: [[toPackedUserOperation({ ...draft, signature })], sender.address],
    gas: 3_000_000n,
  })
  const receipt = await nodeClient(service).waitForTransactionReceipt({ hash })
  const [event] = await service.chain.getContractEvents({
    address: entryPoint07Address,
    abi: entryPoint07Abi,
    eventName: 'UserOperationEvent',
    args: { sender: account.address },
    blockHash: receipt.blockHash,
    strict: true,
  })
  return event?.args.userOpHash ?? '0x'
}

const activityOf = async (address: Address) =>
  (await service.get<{ activity: Record<string, unknown>[] }>(`/wallet/activity?walletAddress=${address}`))
    .body.activity
const statusOf = (hash: Hash) =>
  service.get<Record<string, unknown>>(`/smart-account/transaction/status?userOpHash=${hash}`)

const register = async () => {
  const created = await createRpcAccount(service)
  await service.post('/smart-account/create', { eoaAddress: created.key.address })
  return created
}

test('behavior: activity and status show operations sent here and operations that a third party sent by handleOps', async () => {
  const { account } = await register()
  const external = await handleOps(account)
  const expected = { userOpHash: external, network: '31337', state: 'included', success: true }
  expect(await activityOf(account.address)).toMatchObject([
    {
      ...expected,
      sender: account.address,
      txnHash: expect.any(String),
      gasCost: expect.stringMatching(/^[1-9]\d*$/),
      calls: [{ targetContractAddress: payee, value: '1', encodedData: '0x' }],
    },
  ])
  // The account paid the gas itself.
  expect((await activityOf(account.address))[0]).not.toHaveProperty('paymaster')
  expect(await statusOf(external)).toMatchObject({
    status: 200,
    body: { ...expected, walletAddress: account.address, blockNumber: expect.stringMatching(/^\d+$/) },
  })
  const own = await sendAccepted(rpcUrl(service), await prepare(account))
  await waitForReceipt(rpcUrl(service), nodeClient(service), own)
  const hashes = (await activityOf(account.address)).map(({ userOpHash }) => userOpHash)
  expect(hashes.toSorted()).toEqual([external, own].toSorted())
  const [oldest] = await activityOf(account.address).then((all) => all.slice(-1))
  const page = `/wallet/activity?walletAddress=${account.address}&before=${oldest?.signedAt}`
  expect((await service.get<{ activity: unknown[] }>(page)).body.activity).toEqual([])
})

test('behavior: activity hides operations that a reorg removed', async () => {
  const { account } = await register()
  await service.chain.setIntervalMining({ interval: 0 })
  await service.chain.setAutomine(true)
  try {
    const external = await handleOps(account)
    expect(await activityOf(account.address)).toMatchObject([{ userOpHash: external, final: false }])
    await service.chain.request({ method: 'anvil_reorg', params: [1, []] } as never) // viem has no type for this method
    expect(await activityOf(account.address)).toEqual([])
    expect(await statusOf(external)).toMatchObject({ status: 404, body: { code: 'UNKNOWN_OPERATION' } })
  } finally {
    await service.chain.setIntervalMining({ interval: 1 })
  }
})

test('error: UNKNOWN_OPERATION for an unregistered account', async () => {
  const { account } = await createRpcAccount(service)
  expect(await statusOf(await handleOps(account))).toMatchObject({
    status: 404,
    body: { code: 'UNKNOWN_OPERATION' },
  })
})

test.skipIf(altoProgram === undefined)(
  'behavior: activity shows operations that another bundler sent',
  async () => {
    await using alto = await startAlto({ rpcUrl: nodeUrl() }, entryPoint07Address)
    const { account } = await register()
    await service.chain.setBalance({ address: account.address, value: parseEther('10') })
    const hash = await sendAccepted(alto.url, await prepare(account))
    await waitForReceipt(alto.url, nodeClient(service), hash)
    expect(await activityOf(account.address)).toMatchObject([{ userOpHash: hash, success: true }])
  },
)

test('error: RATE_LIMITED because each search for an unknown hash counts as a read', async () => {
  await using limited = await startHttpService({ RATE_LIMIT_READS: '3' })
  const read = (index: number) =>
    ask(`${limited.url}/smart-account/transaction/status?userOpHash=0x${String(index).padStart(64, '0')}`)
  for (const index of [1, 2, 3]) expect(await read(index)).toMatchObject({ status: 404 })
  expect(await read(4)).toMatchObject({ status: 429 })
})
