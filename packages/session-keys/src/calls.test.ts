import { encodeAddOwner, encodeRemoveOwner } from '@lanyard/accounts'
import { safeAbi, sessionKeysAbi } from '@lanyard/onchain'
import { type Address, decodeFunctionData, encodeFunctionData } from 'viem'
import { describe, expect, test } from 'vitest'
import { encodeGrant, encodeRevoke, encodeSessionExecute } from './calls.ts'
import type { Session } from './session/session.ts'
import { sessionKeyId } from './session/session-key.ts'

const account: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const sessionKeys: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const owner: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const key = { x: 1n, y: 2n }

const session: Session = {
  validAfter: 1,
  validUntil: 2,
  maxOperations: 3,
  feePerOperation: 4n,
  paymaster: other,
  rules: (['native', 'call', 'token'] as const).map((kind) => ({
    kind,
    target: owner,
    selector: '0x12345678',
    counterparty: other,
    maxValue: 5n,
  })),
  allowances: [{ token: owner, amount: 6n, period: 7 }],
}

const ownCall = (functionName: 'enableModule' | 'disableModule', args: readonly Address[]) => ({
  to: account,
  value: 0n,
  // The names and their parameters are paired below.
  data: encodeFunctionData({ abi: safeAbi, functionName, args } as Parameters<typeof encodeFunctionData>[0]),
})

describe('encodeGrant', () => {
  const grant = (isOwner: boolean, isModule: boolean) =>
    encodeGrant({ account, sessionKeys, key, session, isOwner, isModule })

  test('default', () => {
    const [call, ...others] = grant(true, true)
    expect(others).toEqual([])
    expect(call).toMatchObject({ to: sessionKeys, value: 0n })
    expect(decodeFunctionData({ abi: sessionKeysAbi, data: call?.data ?? '0x' })).toEqual({
      functionName: 'grant',
      args: [
        sessionKeyId(key),
        { ...session, rules: session.rules.map((rule, index) => ({ ...rule, kind: index })) },
      ],
    })
  })

  test('behavior: makes the contract an owner and a module before the first session', () => {
    const [call] = grant(true, true)
    const addOwner = encodeAddOwner({ account, owner: sessionKeys })
    const enableModule = ownCall('enableModule', [sessionKeys])
    expect(grant(false, false)).toEqual([addOwner, enableModule, call])
    expect(grant(false, true)).toEqual([addOwner, call])
    expect(grant(true, false)).toEqual([enableModule, call])
  })
})

test('encodeSessionExecute', () => {
  const calls = [{ to: owner, value: 3n, data: '0x1234' }] as const
  const call = encodeSessionExecute({ sessionKeys, key: owner, calls })
  expect(call).toMatchObject({ to: sessionKeys, value: 0n })
  expect(decodeFunctionData({ abi: sessionKeysAbi, data: call.data })).toEqual({
    functionName: 'execute',
    args: [sessionKeyId(owner), calls],
  })
})

describe('encodeRevoke', () => {
  const revoke = {
    to: sessionKeys,
    value: 0n,
    data: encodeFunctionData({ abi: sessionKeysAbi, functionName: 'revoke', args: [sessionKeyId(key)] }),
  }
  const sentinel = '0x0000000000000000000000000000000000000001'

  test('default', () => {
    expect(encodeRevoke({ account, sessionKeys, key })).toEqual([revoke])
  })

  test('args: remove', () => {
    const owners = [owner, sessionKeys]
    expect(
      encodeRevoke({ account, sessionKeys, key, remove: { owners, modules: [other, sessionKeys] } }),
    ).toEqual([
      revoke,
      encodeRemoveOwner({ account, owner: sessionKeys, owners }),
      ownCall('disableModule', [other, sessionKeys]),
    ])
  })

  test('behavior: the sentinel precedes the first module', () => {
    const remove = { owners: [owner], modules: [sessionKeys, other] }
    expect(encodeRevoke({ account, sessionKeys, key, remove })).toEqual([
      revoke,
      ownCall('disableModule', [sentinel, sessionKeys]),
    ])
  })

  test('behavior: does not remove a contract that is neither owner nor module', () => {
    const remove = { owners: [owner, other], modules: [other] }
    expect(encodeRevoke({ account, sessionKeys, key, remove })).toEqual([revoke])
  })

  test('error: LAST_OWNER', () => {
    const remove = { owners: [sessionKeys], modules: [] }
    expect(() => encodeRevoke({ account, sessionKeys, key, remove })).toThrow(
      expect.objectContaining({ code: 'LAST_OWNER' }),
    )
  })
})
