/** @module-tag all */
import { devAccounts, localTransport } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, createWalletClient, type Hash, parseEther } from 'viem'
import { entryPoint07Abi, entryPoint07Address, toPackedUserOperation } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { draftOperation, newRpcAccount, publicClientOf } from '../rpc/rpc-client.ts'
import { type SessionService, startSessionService } from '../session-keys/session-service.ts'

/*
 * What the service has no row of is searched for in the last six hours of a chain, however many blocks those have. 2,000
 * blocks, which one request may have, are eight minutes on some networks.
 */

const chainId = 31337
let service: SessionService
beforeAll(async () => {
  service = await startSessionService({
    chainIds: [chainId],
    blockTime: 3_600,
    settings: { rpcLogRange: 100 },
    environment: { ROLES: 'api' },
  })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const sender = privateKeyToAccount(devAccounts[5]?.privateKey ?? randomPrivateKey())

/** A registered account that receives a transfer, and has an operation sent by a third party. */
async function createActive(): Promise<{ readonly address: Address; readonly userOpHash: Hash }> {
  const { chain, rpcUrl } = service.on(chainId)
  const { key, account } = await newRpcAccount(publicClientOf(rpcUrl))
  const { address } = account
  await service.rest.post('/smart-account/create', { eoaAddress: key.address })
  await service.mint(chainId, address, 5_000_000n)
  await chain.setBalance({ address, value: parseEther('1') })
  const draft = await draftOperation(account)
  const operation = { ...draft, signature: await account.signUserOperation(draft) }
  const wallet = createWalletClient({ account: sender, chain: foundry, transport: localTransport(rpcUrl) })
  const hash = await wallet.writeContract({
    address: entryPoint07Address,
    abi: entryPoint07Abi,
    functionName: 'handleOps',
    args: [[toPackedUserOperation(operation)], sender.address],
    gas: 3_000_000n,
  })
  const { blockHash } = await publicClientOf(rpcUrl).waitForTransactionReceipt({ hash })
  const [event] = await chain.getContractEvents({
    address: entryPoint07Address,
    abi: entryPoint07Abi,
    eventName: 'UserOperationEvent',
    args: { sender: address },
    blockHash,
    strict: true,
  })
  return { address, userOpHash: event?.args.userOpHash ?? '0x' }
}

const transfersOf = async (address: Address) => {
  const { body } = await service.rest.get(`/wallet/transfers?walletAddress=${address}`)
  return body.networks[0]
}
const activityOf = async (address: Address) =>
  (await service.rest.get(`/wallet/activity?walletAddress=${address}`)).body.activity
const statusOf = (hash: Hash) => service.rest.get(`/smart-account/transaction/status?userOpHash=${hash}`)

test('behavior: transfers and operations of third parties are found by their age, not by the number of blocks', async () => {
  const { chain } = service.on(chainId)
  const old = await createActive()
  const blockOfOld = await chain.getBlockNumber()
  // 6 hours and 40 minutes
  await chain.mine({ blocks: 300, interval: 80 })
  const recent = await createActive()
  // 1 hour and 10 minutes
  await chain.mine({ blocks: 2_100, interval: 2 })

  const found = await transfersOf(recent.address)
  expect(found).toMatchObject({ available: true, transfers: [{ amount: '5000000' }] })
  expect(BigInt(found.fromBlock)).toBeGreaterThan(blockOfOld)
  expect(await activityOf(recent.address)).toMatchObject([{ userOpHash: recent.userOpHash }])
  expect(await statusOf(recent.userOpHash)).toMatchObject({ status: 200, body: { state: 'included' } })

  expect(await transfersOf(old.address)).toMatchObject({ available: true, transfers: [] })
  expect(await activityOf(old.address)).toEqual([])
  expect(await statusOf(old.userOpHash)).toMatchObject({ status: 404, body: { code: 'UNKNOWN_OPERATION' } })
})
