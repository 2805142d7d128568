import { createPublicClient, type Hex, hashTypedData, http, keccak256, zeroAddress, zeroHash } from 'viem'
import {
  getUserOperationTypedData,
  toSimple7702SmartAccount,
  getUserOperationHash as viemHash,
} from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Call } from '../call.ts'
import { longHex, rememberHash } from '../long-hashes.ts'
import { getUserOperationHash, operationTypedData } from '../user-operation/hash.ts'
import { type UserOperation, unpackUserOperation } from '../user-operation/user-operation.ts'
import { toDelegatedAccount } from './delegated-account.ts'
import {
  delegatedDeployment,
  encodeDesignator,
  isDelegationInitCode,
  isEoaCode,
  readDelegation,
} from './deployment.ts'

const owner = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const account = toDelegatedAccount(owner.address)
const viemAccount = await toSimple7702SmartAccount({
  client: createPublicClient({ transport: http('http://127.0.0.1:1') }), // nothing is sent
  owner,
})

const transfer: Call = { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: 5n, data: '0xabcd' }
const operation: UserOperation = {
  sender: account.getAddress(),
  nonce: (3n << 64n) | 7n,
  initCode: account.encodeInitCode(),
  callData: account.encodeCalls([transfer]),
  callGasLimit: 100_000n,
  verificationGasLimit: 60_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 10n ** 9n,
  maxPriorityFeePerGas: 10n ** 6n,
  paymasterAndData: '0x',
  entryPoint: account.entryPoint,
}

// viem is the other implementation of the same account.
describe('agrees with viem', () => {
  test('address, EntryPoint, delegate', async () => {
    expect(account.getAddress()).toBe(await viemAccount.getAddress())
    expect(account.entryPoint).toBe(viemAccount.entryPoint.address)
    expect(delegatedDeployment.delegate).toBe(viemAccount.authorization.address)
  })

  test.each([[[transfer]], [[transfer, { ...transfer, value: 0n, data: '0x' as const }]]])(
    'calls: %#',
    async (calls) => {
      const callData = account.encodeCalls(calls)
      expect(callData).toBe(await viemAccount.encodeCalls(calls))
      expect(account.decodeCalls(callData)).toEqual({ ok: true, calls })
    },
  )

  test.each([['0x7702000000000000000000000000000000000000'], ['0x']] as const)(
    'hash, typed data, signature; initCode %s',
    async (initCode) => {
      const one = { ...operation, initCode }
      const authorization = await owner.signAuthorization({
        chainId: 31337,
        nonce: 0,
        address: delegatedDeployment.delegate,
      })
      const theirs = { ...unpackUserOperation({ ...one, signature: '0x' }), authorization }
      const hash = account.hashOperation(one, { chainId: 31337 })
      const parameters = { chainId: 31337, entryPointAddress: account.entryPoint, userOperation: theirs }
      expect(hash).toBe(viemHash({ ...parameters, entryPointVersion: '0.8' }))
      expect(getUserOperationHash(one, { chainId: 31337, entryPoint: zeroAddress })).toBe(hash)
      expect(getUserOperationTypedData(parameters).message).toMatchObject(
        operationTypedData(one, { chainId: 31337 }).message,
      )
      const signature = await viemAccount.signUserOperation({ ...theirs, chainId: 31337 })
      expect(signature).toBe(await owner.sign({ hash }))
    },
  )
})

test('hashOperation: takes the hash of long call data from another thread', () => {
  const callData: Hex = `0x${'ab'.repeat(longHex)}`
  const long = { ...operation, callData }
  const hash = account.hashOperation(long, { chainId: 31337 })
  expect(hash).toBe(hashTypedData(operationTypedData(long, { chainId: 31337 })))
  // A wrong hash shows that the operation is hashed with what is known.
  rememberHash(callData, zeroHash)
  expect(account.hashOperation(long, { chainId: 31337 })).not.toBe(hash)
  rememberHash(callData, keccak256(callData))
})

test('decodeCalls: only what the account encodes', () => {
  expect(account.decodeCalls('0x12345678')).toMatchObject({ ok: false, code: 'NOT_AN_EXECUTION' })
  const callData = account.encodeCalls([transfer])
  expect(account.decodeCalls(`${callData}00`)).toMatchObject({ ok: false, code: 'NOT_CANONICAL' })
})

test('readDelegation', () => {
  const other = '0x00000000000000000000000000000000000000Aa'
  expect(readDelegation(undefined)).toEqual({ kind: 'undelegated' })
  expect(readDelegation(encodeDesignator(delegatedDeployment.delegate))).toEqual({ kind: 'delegated' })
  expect(readDelegation(encodeDesignator(other))).toEqual({
    kind: 'delegated-elsewhere',
    delegate: other.toLowerCase(),
  })
  expect(readDelegation('0x6001')).toEqual({ kind: 'contract' })
})

test('isEoaCode: an EOA signs, whatever it delegates to', () => {
  expect([undefined, '0x', encodeDesignator(owner.address)].map((code) => isEoaCode(code as Hex))).toEqual([
    ...[true, true, true],
  ])
  expect(isEoaCode('0x6001')).toBe(false)
})

test('isDelegationInitCode: as EntryPoint reads it, zero-padded', () => {
  expect(isDelegationInitCode('0x7702')).toBe(true)
  expect(isDelegationInitCode(account.encodeInitCode())).toBe(true)
  expect(isDelegationInitCode(`${account.encodeInitCode()}ab`)).toBe(true)
  expect(isDelegationInitCode('0x')).toBe(false)
  expect(isDelegationInitCode('0x7702000000000000000000000000000000000001')).toBe(false)
})
