import { type Call, toDelegatedAccount } from '@lanyard/accounts'
import { startChain } from '@lanyard/accounts/testing'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, createPublicClient, http } from 'viem'
import {
  entryPoint08Abi,
  getUserOperationHash,
  toPackedUserOperation,
  toSimple7702SmartAccount,
  type UserOperation,
} from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toLanyardDelegatedAccount } from '../src/index.ts'
import { toOperation } from '../src/to-operation.ts'

let chain: Awaited<ReturnType<typeof startChain>>
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain?.[Symbol.asyncDispose]())

const client = () => createPublicClient({ chain: foundry, transport: http(chain.rpcUrl), cacheTime: 0 })
const newKey = () => privateKeyToAccount(randomPrivateKey())
const keyOf = (nonce: bigint) => nonce >> 64n

const sink: Address = '0x00000000000000000000000000000000000000Ad'
const calls: readonly Call[] = [{ to: sink, value: 1n, data: '0xcafe' }]

type DelegatedAccount = Awaited<ReturnType<typeof toLanyardDelegatedAccount>>

/** Prepares an operation as viem does, without a bundler. The limits are far above what these tests need. */
async function prepare(account: DelegatedAccount): Promise<UserOperation<'0.8'>> {
  const delegated = await account.isDeployed()
  const { address } = account.authorization
  const nonce = await client().getTransactionCount({ address: account.address })
  return {
    sender: account.address,
    nonce: await account.getNonce(),
    callData: await account.encodeCalls(calls),
    ...(await account.getFactoryArgs()),
    ...(!delegated && {
      authorization: await account.owner.signAuthorization({ chainId: foundry.id, address, nonce }),
    }),
    callGasLimit: 200_000n,
    verificationGasLimit: 200_000n,
    preVerificationGas: 100_000n,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    signature: await account.getStubSignature(),
  }
}

async function send(account: DelegatedAccount): Promise<boolean> {
  const operation = await prepare(account)
  const signature = await account.signUserOperation(operation)
  const { entryPoint } = account
  const hash = await chain.client.writeContract({
    ...{ address: entryPoint.address, abi: entryPoint08Abi, functionName: 'handleOps', gas: 2_000_000n },
    args: [[toPackedUserOperation({ ...operation, signature })], chain.client.account.address],
    ...(operation.authorization && { authorizationList: [operation.authorization] }),
  })
  const { status } = await chain.client.waitForTransactionReceipt({ hash })
  return status === 'success'
}

// `toDelegatedAccount` is what the service builds with.
test('behavior: agrees with the service: call data, hash, signature, before and after delegation', async () => {
  const owner = newKey()
  const account = await toLanyardDelegatedAccount({ client: client(), owner })
  const service = toDelegatedAccount(owner.address)
  await chain.fund(owner.address)
  expect(account.address).toBe(service.getAddress())
  expect(account.entryPoint.address).toBe(service.entryPoint)
  for (const initCode of [service.encodeInitCode(), '0x'] as const) {
    const theirs = await prepare(account)
    expect(theirs.callData).toBe(service.encodeCalls(calls))
    const ours = { ...toOperation(theirs), entryPoint: service.entryPoint, initCode }
    const hash = service.hashOperation(ours, { chainId: foundry.id })
    const entryPoint = { entryPointAddress: service.entryPoint, entryPointVersion: '0.8' } as const
    expect(getUserOperationHash({ ...entryPoint, chainId: foundry.id, userOperation: theirs })).toBe(hash)
    expect(await account.signUserOperation(theirs)).toBe(
      service.encodeSignature({ signature: await owner.sign({ hash }) }),
    )
    expect(await send(account)).toBe(true)
  }
  expect(await client().getBalance({ address: sink })).toBeGreaterThanOrEqual(2n)
})

test('behavior: signs texts and hashes, before and after delegation', async () => {
  const owner = newKey()
  const account = await toLanyardDelegatedAccount({ client: client(), owner })
  const { address } = account
  await chain.fund(address)
  for (const _ of ['before', 'after']) {
    const signature = await account.signMessage({ message: 'Hello' })
    expect(await client().verifyMessage({ address, message: 'Hello', signature })).toBe(true)
    const hash = `0x${'5a'.repeat(32)}` as const
    expect(await client().verifyHash({ address, hash, signature: await account.sign({ hash }) })).toBe(true)
    await send(account)
  }
})

test('default: uses one nonce key for sequential operations, and another for each concurrent one', async () => {
  const owner = newKey()
  const account = await toLanyardDelegatedAccount({ client: client(), owner })
  await chain.fund(owner.address)
  await send(account)
  await send(account)
  expect(await account.getNonce()).toBe(2n)
  const beside = await Promise.all(Array.from({ length: 15 }, () => account.getNonce()))
  expect(beside.map(keyOf)).toEqual(Array.from({ length: 15 }, (_, index) => BigInt(index + 1)))
})

test('args: nonceKey', async () => {
  const nonceKey = 2n ** 191n + 7n
  const account = await toLanyardDelegatedAccount({ client: client(), owner: newKey(), nonceKey })
  expect(keyOf(await account.getNonce())).toBe(nonceKey)
  expect(keyOf(await account.getNonce({ key: 5n }))).toBe(5n)
})

test('behavior: asks the node for the chain if the client has none', async () => {
  const owner = newKey()
  const chainless = createPublicClient({ transport: http(chain.rpcUrl) })
  const account = await toLanyardDelegatedAccount({ client: chainless, owner })
  const plain = await toSimple7702SmartAccount({ client: client(), owner })
  const operation = await prepare(account)
  expect(await account.signUserOperation(operation)).toBe(await plain.signUserOperation(operation))
})
