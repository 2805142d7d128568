import { multiSendAbi, safeAbi, safeModuleSetupAbi, safeWebAuthnSharedSignerAbi } from '@lanyard/onchain'
import { concat, decodeFunctionData, encodeFunctionData, encodePacked, size, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { basePoint } from '../../../test/p256-base-point.ts'
import { type AccountOwner, defaultVerifiers } from '../../owner.ts'
import { safeDeployment } from './deployment.ts'
import { encodeInitializer } from './encode-initializer.ts'

const { module, moduleSetup, multiSend, sharedSigner } = safeDeployment
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
