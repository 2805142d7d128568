// @promise 9
import { safe4337ModuleAbi, safeProxyFactoryAbi } from '@lanyard/onchain'
import { reportPassed } from '@lanyard/testing/report-passed'
import { getAddress, type Hex, zeroAddress } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AccountOwner,
  computeAccountAddress,
  defaultDeployment,
  defaultVerifiers,
  getSafeOperationHash,
  getUserOperationHash,
  packUserOperation,
  safeProxyCreationCode,
  type UserOperation,
  unpackUserOperation,
} from '../src/index.ts'
import { encodeSignature } from '../src/safe/operation.ts'
import { chainId, startChain } from './entry-point.ts'
import { operationOf } from './operation.ts'
import { SoftwareAuthenticator } from './software-authenticator.ts'

reportPassed(9, 'changes to an operation that change its hash', (title) => title.endsWith('changes the hash'))

let chain: Awaited<ReturnType<typeof startChain>>
beforeAll(async () => {
  chain = await startChain()
})
afterAll(async () => {
  await chain[Symbol.asyncDispose]()
})

const eoa: AccountOwner = { kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
const passkey: AccountOwner = {
  kind: 'passkey',
  ...new SoftwareAuthenticator().publicKey,
  verifiers: defaultVerifiers,
}
const paymasterAndData: Hex = `0x${'aa'.repeat(20)}${'07'.padStart(32, '0')}${'05'.padStart(32, '0')}cafe`

test('safeProxyCreationCode: matches the factory', async () => {
  const onChain = await chain.client.readContract({
    address: defaultDeployment.factory,
    abi: safeProxyFactoryAbi,
    functionName: 'proxyCreationCode',
  })
  expect(onChain).toBe(safeProxyCreationCode)
})

describe.each([
  ['EOA', eoa],
  ['passkey', passkey],
])('%s', (_, owner) => {
  test('computeAccountAddress: matches the factory', async () => {
    const { factory, factoryData } = unpackUserOperation(operationOf(owner))
    if (factory === undefined) throw new TypeError('A first operation has a factory.')
    const { data } = await chain.client.call({ to: factory, data: factoryData ?? '0x' })
    expect(getAddress(`0x${data?.slice(-40)}`)).toBe(computeAccountAddress(owner))
  })

  test.each<[string, Partial<UserOperation>]>([
    ['first', {}],
    ['later', { initCode: '0x', nonce: (7n << 64n) + 3n }],
    ['with a paymaster', { paymasterAndData }],
  ])('getUserOperationHash: matches EntryPoint, %s', async (_, overrides) => {
    const operation = operationOf(owner, overrides)
    const onChain = await chain.client.readContract({
      address: defaultDeployment.entryPoint,
      abi: entryPoint07Abi,
      functionName: 'getUserOpHash',
      args: [packUserOperation(operation)],
    })
    expect(getUserOperationHash(operation, { chainId })).toBe(onChain)
  })

  test.each<[string, Partial<UserOperation>, { validAfter: number; validUntil: number }]>([
    ['first', {}, { validAfter: 0, validUntil: 0 }],
    ['later', { initCode: '0x', nonce: (7n << 64n) + 3n }, { validAfter: 1, validUntil: 2 ** 48 - 1 }],
    ['with a paymaster', { paymasterAndData }, { validAfter: 0, validUntil: 1_800_000_000 }],
  ])('getSafeOperationHash: matches the module, %s', async (_, overrides, times) => {
    const operation = operationOf(owner, overrides)
    const onChain = await chain.client.readContract({
      address: defaultDeployment.module,
      abi: safe4337ModuleAbi,
      functionName: 'getOperationHash',
      args: [packUserOperation({ ...operation, signature: encodeSignature({ ...times, signatures: '0x' }) })],
    })
    expect(getSafeOperationHash(operation, { chainId, ...times })).toBe(onChain)
  })
})

describe('every field is signed', () => {
  const operation = operationOf(eoa, { paymasterAndData })
  const context = { chainId, validAfter: 1, validUntil: 2 }
  const mutations: { [field in keyof UserOperation]: UserOperation[field] } = {
    sender: zeroAddress,
    nonce: operation.nonce + 1n,
    initCode: `${operation.initCode}00`,
    callData: `${operation.callData}00`,
    callGasLimit: operation.callGasLimit + 1n,
    verificationGasLimit: operation.verificationGasLimit + 1n,
    preVerificationGas: operation.preVerificationGas + 1n,
    maxFeePerGas: operation.maxFeePerGas + 1n,
    maxPriorityFeePerGas: operation.maxPriorityFeePerGas + 1n,
    paymasterAndData: `${paymasterAndData}00`,
  }

  test.each(Object.entries(mutations))('behavior: another %s changes the hash', (field, value) => {
    const mutated: UserOperation = { ...operation, [field]: value }
    expect(getSafeOperationHash(mutated, context)).not.toBe(getSafeOperationHash(operation, context))
    expect(getUserOperationHash(mutated, context)).not.toBe(getUserOperationHash(operation, context))
  })

  test.each(
    Object.entries({
      chainId: 1,
      validAfter: 0,
      validUntil: 3,
      module: zeroAddress,
      entryPoint: zeroAddress,
    }),
  )('behavior: another %s changes the hash', (field, value) => {
    expect(getSafeOperationHash(operation, { ...context, [field]: value })).not.toBe(
      getSafeOperationHash(operation, context),
    )
  })
})
