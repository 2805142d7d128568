import { safeAbi, safeWebAuthnSignerFactoryAbi } from '@lanyard/onchain'
import { type Address, decodeFunctionData, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { basePoint } from '../../test/p256-base-point.ts'
import { defaultVerifiers } from '../owner.ts'
import {
  computeSignerAddress,
  encodeCreateSigner,
  readSignerContract,
} from '../signers/passkey/signer-contract.ts'
import { defaultDeployment } from './deployment.ts'
import { encodeAddOwner, encodeRemoveOwner } from './owners.ts'

const account: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const alice: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const bob: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const carol: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const sentinel: Address = '0x0000000000000000000000000000000000000001'
const passkey = { ...basePoint, verifiers: defaultVerifiers }

test('encodeAddOwner: the threshold stays 1', () => {
  const call = encodeAddOwner({ account, owner: alice })
  expect(call).toMatchObject({ to: account, value: 0n })
  expect(decodeFunctionData({ abi: safeAbi, data: call.data })).toEqual({
    functionName: 'addOwnerWithThreshold',
    args: [alice, 1n],
  })
})

describe('encodeRemoveOwner', () => {
  const owners = [alice, bob, carol]

  test.each([
    ['the first', alice, sentinel],
    ['one in the middle', bob, alice],
    ['the last', carol, bob],
  ])('default: %s', (_, owner, previous) => {
    const call = encodeRemoveOwner({ account, owner, owners })
    expect(call).toMatchObject({ to: account, value: 0n })
    expect(decodeFunctionData({ abi: safeAbi, data: call.data })).toEqual({
      functionName: 'removeOwner',
      args: [previous, owner, 1n],
    })
  })

  test('behavior: ignores the case of the address', () => {
    const owner = bob.toLowerCase() as Address // still an address
    expect(encodeRemoveOwner({ account, owner, owners })).toEqual(
      encodeRemoveOwner({ account, owner: bob, owners }),
    )
  })

  test('error: LAST_OWNER', () => {
    expect(() => encodeRemoveOwner({ account, owner: alice, owners: [alice] })).toThrow(
      expect.objectContaining({ code: 'LAST_OWNER' }),
    )
  })

  test('error: NOT_AN_OWNER', () => {
    for (const others of [[], [bob], [bob, carol]])
      expect(() => encodeRemoveOwner({ account, owner: alice, owners: others })).toThrow(
        expect.objectContaining({ code: 'NOT_AN_OWNER' }),
      )
  })
})

describe('computeSignerAddress', () => {
  // Accounts store this address as their owner, so no change may move it. test/owners.test.ts compares it
  // with the factory.
  test('default', () => {
    expect(computeSignerAddress(passkey)).toBe('0x57c115A04d62e29FAEFaa0C263ccbBea6352995d')
  })
})

describe('encodeCreateSigner', () => {
  test('default', () => {
    const call = encodeCreateSigner(passkey)
    expect(call).toMatchObject({ to: defaultDeployment.signerFactory, value: 0n })
    expect(decodeFunctionData({ abi: safeWebAuthnSignerFactoryAbi, data: call.data })).toEqual({
      functionName: 'createSigner',
      args: [basePoint.x, basePoint.y, defaultVerifiers],
    })
  })
})

describe('readSignerContract', () => {
  // The code of a signer contract without its metadata, as its constructor writes it: three immutables of 32 bytes.
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  const code = (x: bigint, y: bigint, verifiers: bigint) =>
    `0x7f${word(verifiers)}60b63601527f${word(y)}60a03601527f${word(x)}`.padEnd(2 + 2 * 0xec, '0') as Hex
  const signer = computeSignerAddress(passkey)

  test('default: the key in the code, which decides the address', () => {
    expect(readSignerContract(signer, code(passkey.x, passkey.y, passkey.verifiers))).toEqual({
      kind: 'passkey',
      ...passkey,
    })
  })

  test('behavior: undefined for another key, another code, and no code', () => {
    const negated = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn - passkey.y
    expect(readSignerContract(signer, code(passkey.x, negated, passkey.verifiers))).toBeUndefined()
    expect(readSignerContract(signer, code(passkey.x, passkey.y, 0n))).toBeUndefined()
    expect(readSignerContract(signer, code(1n, 1n, passkey.verifiers))).toBeUndefined()
    expect(readSignerContract(signer, '0x6001')).toBeUndefined()
    expect(readSignerContract(signer, undefined)).toBeUndefined()
  })
})

test.each([
  ['computeSignerAddress', computeSignerAddress],
  ['encodeCreateSigner', encodeCreateSigner],
])('%s: error: OUT_OF_RANGE, NOT_ON_CURVE', (_, make) => {
  expect(() => make({ ...passkey, verifiers: 2n ** 176n })).toThrow(
    expect.objectContaining({ code: 'OUT_OF_RANGE', details: { field: 'verifiers', bits: 176 } }),
  )
  expect(() => make({ ...passkey, x: basePoint.x + 1n })).toThrow(
    expect.objectContaining({ code: 'NOT_ON_CURVE' }),
  )
})
