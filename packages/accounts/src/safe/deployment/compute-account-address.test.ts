import { safeProxyFactoryAbi } from '@lanyard/onchain'
import { decodeFunctionData, slice } from 'viem'
import { describe, expect, test } from 'vitest'
import { basePoint } from '../../../test/p256-base-point.ts'
import { type AccountOwner, defaultVerifiers } from '../../owner.ts'
import { computeAccountAddress } from './compute-account-address.ts'
import { safeDeployment } from './deployment.ts'
import { encodeInitCode } from './encode-init-code.ts'
import { encodeInitializer } from './encode-initializer.ts'

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
    const other = { ...safeDeployment, saltNonce: 1n }
    expect(computeAccountAddress(eoa, other)).not.toBe(computeAccountAddress(eoa))
  })
})

test('encodeInitCode', () => {
  const deployment = { ...safeDeployment, saltNonce: 7n }
  const initCode = encodeInitCode(eoa, deployment)
  expect(slice(initCode, 0, 20)).toBe(safeDeployment.factory.toLowerCase())
  expect(decodeFunctionData({ abi: safeProxyFactoryAbi, data: slice(initCode, 20) })).toEqual({
    functionName: 'createProxyWithNonce',
    args: [safeDeployment.singleton, encodeInitializer(eoa, deployment), 7n],
  })
})
