import {
  multiSendAbi,
  safeAbi,
  safeModuleSetupAbi,
  safeProxyFactoryAbi,
  safeWebAuthnSharedSignerAbi,
} from '@lanyard/onchain'
import {
  concat,
  decodeFunctionData,
  encodeFunctionData,
  encodePacked,
  numberToHex,
  size,
  slice,
  zeroAddress,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { basePoint } from '../../test/p256-base-point.ts'
import { type AccountOwner, defaultVerifiers } from '../owner.ts'
import {
  type AccountCreation,
  computeAccountAddress,
  encodeInitCode,
  encodeInitializer,
  readCreation,
} from './creation.ts'
import { type AccountDeployment, defaultDeployment } from './deployment.ts'

const { module, moduleSetup, multiSend, sharedSigner } = defaultDeployment
const eoa: AccountOwner = { kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
const passkey: AccountOwner = { kind: 'passkey', ...basePoint, verifiers: defaultVerifiers }
const enableModule = encodeFunctionData({
  abi: safeModuleSetupAbi,
  functionName: 'enableModules',
  args: [[module]],
})

describe('encodeInitializer', () => {
  test('default', () => {
    expect(decodeFunctionData({ abi: safeAbi, data: encodeInitializer(eoa) })).toEqual({
      functionName: 'setup',
      args: [[eoa.address], 1n, moduleSetup, enableModule, module, zeroAddress, 0n, zeroAddress],
    })
  })

  test('args: a passkey; its key is stored with the account', () => {
    const configure = encodeFunctionData({
      abi: safeWebAuthnSharedSignerAbi,
      functionName: 'configure',
      args: [{ ...basePoint, verifiers: defaultVerifiers }],
    })
    const delegatecall = (to: `0x${string}`, data: `0x${string}`) =>
      encodePacked(['uint8', 'address', 'uint256', 'uint256', 'bytes'], [1, to, 0n, BigInt(size(data)), data])
    const setUpBoth = encodeFunctionData({
      abi: multiSendAbi,
      functionName: 'multiSend',
      args: [concat([delegatecall(moduleSetup, enableModule), delegatecall(sharedSigner, configure)])],
    })
    expect(decodeFunctionData({ abi: safeAbi, data: encodeInitializer(passkey) })).toEqual({
      functionName: 'setup',
      args: [[sharedSigner], 1n, multiSend, setUpBoth, module, zeroAddress, 0n, zeroAddress],
    })
  })

  test('error: OUT_OF_RANGE', () => {
    expect(() => encodeInitializer({ ...passkey, verifiers: 2n ** 176n })).toThrow(
      expect.objectContaining({ code: 'OUT_OF_RANGE', details: { field: 'verifiers', bits: 176 } }),
    )
  })

  test('error: NOT_ON_CURVE', () => {
    const p = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
    // The last ones are the same point modulo p. Accepting them would give one key several accounts.
    for (const point of [
      { ...basePoint, y: basePoint.y + 1n },
      { x: basePoint.y, y: basePoint.x },
      { x: 0n, y: 0n },
      { ...basePoint, x: basePoint.x - p },
      { ...basePoint, y: basePoint.y - p },
      { ...basePoint, x: basePoint.x + p },
      { ...basePoint, y: basePoint.y + p },
    ])
      expect(() => encodeInitializer({ ...passkey, ...point })).toThrow(
        expect.objectContaining({ name: 'AccountsError', code: 'NOT_ON_CURVE', details: {} }),
      )
    expect(() => encodeInitializer({ ...passkey, y: p - basePoint.y })).not.toThrow()
  })
})

describe('computeAccountAddress', () => {
  const eoa: AccountOwner = { kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
  const passkey: AccountOwner = { kind: 'passkey', ...basePoint, verifiers: defaultVerifiers }

  // Accounts at these addresses may hold funds, so no change may move them. test/contracts.test.ts compares the
  // rule with the factory.
  describe('computeAccountAddress', () => {
    test.each([
      ['an EOA', eoa, '0xAB1C4CCa6dD4dccD06a48C08ac5FAeD8df4a026a'],
      ['a passkey', passkey, '0x193A7De989d234aE9e9c46755ef4956a4dBFD792'],
    ])('default: of %s', (_, owner, address) => {
      expect(computeAccountAddress(owner)).toBe(address)
    })

    test('args: deployment', () => {
      const other = { ...defaultDeployment, saltNonce: 1n }
      expect(computeAccountAddress(eoa, other)).not.toBe(computeAccountAddress(eoa))
    })
  })

  test('encodeInitCode', () => {
    const deployment = { ...defaultDeployment, saltNonce: 7n }
    const initCode = encodeInitCode(eoa, deployment)
    expect(slice(initCode, 0, 20)).toBe(defaultDeployment.factory.toLowerCase())
    expect(decodeFunctionData({ abi: safeProxyFactoryAbi, data: slice(initCode, 20) })).toEqual({
      functionName: 'createProxyWithNonce',
      args: [defaultDeployment.singleton, encodeInitializer(eoa, deployment), 7n],
    })
  })
})

describe('readCreation', () => {
  const eoa = { kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } as const
  const passkey = {
    kind: 'passkey',
    x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
    y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
    verifiers: defaultVerifiers,
  } as const
  const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

  function creationOf(
    owner: AccountOwner,
    deployment: AccountDeployment = defaultDeployment,
  ): AccountCreation {
    const { factory, singleton, module, entryPoint, ownership, sharedSigner } = deployment
    return {
      ...{ factory, singleton, module, entryPoint, ownership },
      walletAddress: computeAccountAddress(owner, deployment),
      saltNonce: String(deployment.saltNonce),
      initializer: encodeInitializer(owner, deployment),
      ...(owner.kind === 'eoa'
        ? { eoaAddress: owner.address }
        : {
            passkey: {
              ...{ x: numberToHex(owner.x), y: numberToHex(owner.y) },
              ...{ verifiers: numberToHex(owner.verifiers), sharedSigner },
            },
          }),
    }
  }

  test.each([
    ['an EOA', eoa, defaultDeployment],
    ['a passkey', passkey, defaultDeployment],
    ['an account with Ownership', eoa, { ...defaultDeployment, ownership: other, saltNonce: 7n }],
  ] as const)('behavior: reads the creation of %s', (_, owner, deployment) => {
    expect(readCreation(creationOf(owner, deployment))).toEqual({ owner, deployment })
  })

  test.each([
    ['another address', { walletAddress: other }],
    ['another first owner', { eoaAddress: other }],
    ['another module', { module: other }],
    ['another salt', { saltNonce: '1' }],
    ['another initializer', { initializer: '0x1234' }],
    ['another entry point', { entryPoint: other }],
    ['no owner', { eoaAddress: undefined }],
  ] as const)('behavior: reads nothing with %s', (_, change) => {
    expect(readCreation({ ...creationOf(eoa), ...change })).toBeUndefined()
  })
})
