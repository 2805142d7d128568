import { computeAccountAddress, defaultDeployment, encodeInitializer } from '@lanyard/accounts'
import { expect, test } from 'vitest'
import { readRecoveryKit } from './recovery-kit.ts'

const eoaAddress = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const thirdParty = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const owner = { kind: 'eoa', address: eoaAddress } as const
const { factory, singleton, module, entryPoint } = defaultDeployment
const file = {
  about: 'further members are allowed',
  walletAddress: computeAccountAddress(owner),
  factory,
  singleton,
  saltNonce: '0',
  initializer: encodeInitializer(owner),
  module,
  entryPoint,
  eoaAddress,
  networks: [{ network: 31337, name: 'Local 1', tokens: [thirdParty.toLowerCase()] }],
}

test('default', () => {
  expect(readRecoveryKit(JSON.stringify(file))).toEqual({
    account: file.walletAddress,
    owner,
    deployment: defaultDeployment,
    credentialIds: [],
    networks: [{ chainId: 31337, name: 'Local 1', tokens: [thirdParty] }],
  })
})

test('behavior: an account that is created with Ownership', () => {
  const deployment = { ...defaultDeployment, ownership: thirdParty } as const
  const kit = {
    ...file,
    ownership: thirdParty,
    walletAddress: computeAccountAddress(owner, deployment),
    initializer: encodeInitializer(owner, deployment),
  }
  expect(readRecoveryKit(JSON.stringify(kit))).toMatchObject({ account: kit.walletAddress, deployment })
  const { ownership: _, ...without } = kit
  expect(() => readRecoveryKit(JSON.stringify(without))).toThrow(
    expect.objectContaining({ code: 'NOT_A_KIT' }),
  )
})

test.each<[string, unknown]>([
  ['not an object', 7],
  ['another file', { name: 'package' }],
  ['another account', { ...file, walletAddress: thirdParty }],
  ['another owner', { ...file, eoaAddress: thirdParty }],
  ['another factory', { ...file, factory: thirdParty }],
  ['another singleton', { ...file, singleton: thirdParty }],
  ['another module', { ...file, module: thirdParty }],
  ['another entry point', { ...file, entryPoint: thirdParty }],
  ['another initializer', { ...file, initializer: '0x' }],
  ['no owner', { ...file, eoaAddress: undefined }],
])('error: NOT_A_KIT, %s', (_, content) => {
  expect(() => readRecoveryKit(JSON.stringify(content))).toThrow(
    expect.objectContaining({ code: 'NOT_A_KIT' }),
  )
})

test('error: NOT_A_KIT, not JSON', () => {
  expect(() => readRecoveryKit('<html>')).toThrow(expect.objectContaining({ code: 'NOT_A_KIT' }))
})
