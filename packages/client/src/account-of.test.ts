import { computeAccountAddress, defaultDeployment, encodeInitCode } from '@lanyard/accounts'
import { safeProxyFactoryAbi } from '@lanyard/onchain'
import { type Address, concat, encodeFunctionData, type Hex, slice } from 'viem'
import { describe, expect, test } from 'vitest'
import { accountOf, deploysAccount } from './account-of.ts'

const owner = { kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } as const
const thirdParty: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const account = computeAccountAddress(owner)
const initCode = encodeInitCode(owner)
const deploys = (code: Hex) => deploysAccount(code, account, defaultDeployment)

describe('accountOf', () => {
  test('default', () => {
    expect(accountOf(owner, defaultDeployment)).toBe(account)
  })

  test('args: an address', () => {
    const address = account.toLowerCase() as Address // same address, in lower case
    expect(accountOf({ kind: 'account', address }, defaultDeployment)).toBe(account)
  })
})

describe('deploysAccount', () => {
  test('default', () => {
    expect(deploys(initCode)).toBe(true)
  })

  test('behavior: the initCode of another owner or salt deploys another account', () => {
    expect(deploys(encodeInitCode({ kind: 'eoa', address: thirdParty }))).toBe(false)
    expect(deploys(encodeInitCode(owner, { ...defaultDeployment, saltNonce: 1n }))).toBe(false)
    expect(deploys(encodeInitCode(owner, { ...defaultDeployment, singleton: thirdParty }))).toBe(false)
  })

  test('behavior: another factory may interpret the same calldata differently', () => {
    expect(deploys(concat([thirdParty, slice(initCode, 20)]))).toBe(false)
  })

  test('behavior: another function of the factory deploys nothing', () => {
    const other = encodeFunctionData({ abi: safeProxyFactoryAbi, functionName: 'proxyCreationCode' })
    expect(deploys(concat([defaultDeployment.factory, other]))).toBe(false)
  })

  test.each<Hex>(['0x', '0x11', `0x${'11'.repeat(20)}`, defaultDeployment.factory, slice(initCode, 0, 60)])(
    'behavior: %s is too short',
    (code) => {
      expect(deploys(code)).toBe(false)
    },
  )
})
