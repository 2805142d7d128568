import { type AccountOwner, computeAccountAddress, defaultDeployment } from '@lanyard/accounts'
import { epochsAddress, predictOwnershipAddress } from '@lanyard/onchain'
import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { findDeployment } from './find-deployment.ts'

const sessionKeys = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const smartBalance = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const owner: AccountOwner = { kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
const { sharedSigner, signerFactory } = defaultDeployment
const ownership = predictOwnershipAddress({
  ...{ sessionKeys, smartBalance, sharedSigner, signerFactory },
  epochs: epochsAddress,
})
const withModule = { ...defaultDeployment, ownership }
const account = computeAccountAddress(owner, withModule)

test('default: without modules, the networks are not asked', async () => {
  const notRequested = async () => {
    throw new Error('a known account asks no network')
  }
  expect(await findDeployment(owner, computeAccountAddress(owner), notRequested)).toBe(defaultDeployment)
})

test('behavior: with Ownership, beside the contracts of one network', async () => {
  const networks = async () => [
    { sessionKeys: null, smartBalance: null },
    { sessionKeys, smartBalance },
  ]
  expect(await findDeployment(owner, account, networks)).toEqual(withModule)
  const alone = predictOwnershipAddress({
    ...{ sharedSigner, signerFactory, epochs: epochsAddress },
    sessionKeys: zeroAddress,
    smartBalance: zeroAddress,
  })
  const bare = { ...defaultDeployment, ownership: alone }
  expect(await findDeployment(owner, computeAccountAddress(owner, bare), networks)).toEqual(bare)
})

test('behavior: undefined for another module, other networks, or another owner', async () => {
  const networks = async () => [{ sessionKeys, smartBalance }]
  const other = computeAccountAddress(owner, { ...defaultDeployment, ownership: smartBalance })
  expect(await findDeployment(owner, other, networks)).toBeUndefined()
  expect(await findDeployment(owner, account, async () => [])).toBeUndefined()
  const thirdParty: AccountOwner = { kind: 'eoa', address: sessionKeys }
  expect(await findDeployment(thirdParty, account, networks)).toBeUndefined()
})
