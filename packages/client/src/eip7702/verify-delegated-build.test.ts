import { delegatedDeployment, toDelegatedAccount, toWireUserOperation } from '@lanyard/accounts'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { Build, BuildRequest } from '../build.ts'
import { signDelegatedBuild } from './sign-delegated-build.ts'
import { verifyDelegatedBuild } from './verify-delegated-build.ts'

const signer = privateKeyToAccount(`0x${'42'.repeat(32)}`)
const account = toDelegatedAccount(signer.address)
const other = '0x00000000000000000000000000000000DeaDBeef'
const request: BuildRequest = {
  network: '31337',
  walletAddress: signer.address,
  transactionDetails: [{ targetContractAddress: other, encodedData: '0x', value: '5' }],
}
const operation = {
  sender: signer.address,
  nonce: 3n,
  initCode: account.encodeInitCode(),
  callData: account.encodeCalls([{ to: other, value: 5n, data: '0x' }]),
  callGasLimit: 100_000n,
  verificationGasLimit: 60_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 10n,
  maxPriorityFeePerGas: 1n,
  paymasterAndData: '0x',
  entryPoint: account.entryPoint,
} as const
const { sender, initCode, callData } = operation
const build: Build = {
  userOp: { ...toWireUserOperation(operation), sender, initCode, callData },
  messageToSign: account.hashOperation(operation, { chainId: 31337 }),
  signMode: 'ECDSA',
  authorization: { chainId: 31337, address: delegatedDeployment.delegate, nonce: 4 },
}
const verify = (changed: object = {}, more: object = {}) =>
  verifyDelegatedBuild({ build: { ...build, ...changed }, request, eoa: signer.address, ...more })

test('default', async () => {
  const verified = verify()
  expect(verified).toMatchObject({
    userOpHash: build.messageToSign,
    authorization: build.authorization,
    cost: 2_100_000n,
  })
  const signed = await signDelegatedBuild({ build, request, signer })
  expect(signed).toMatchObject({
    signature: await signer.sign({ hash: verified.userOpHash }),
    userOpHash: build.messageToSign,
    authorization: { ...build.authorization, yParity: expect.any(Number) },
  })
})

const hash = (changed: object) => account.hashOperation({ ...operation, ...changed }, { chainId: 31337 })
test.each([
  ['userOp.sender', { userOp: { ...build.userOp, sender: other } }],
  ['userOp.initCode', { userOp: { ...build.userOp, initCode: `${initCode}ab` } }],
  ['userOp.callData', { userOp: { ...build.userOp, callData: account.encodeCalls([]) } }],
  ['userOp.paymasterAndData', { userOp: { ...build.userOp, paymasterAndData: `0x${'11'.repeat(52)}` } }],
  ['userOp.nonce', { userOp: { ...build.userOp, nonce: '-1' } }],
  ['messageToSign', { messageToSign: hash({ nonce: 4n }) }],
  ['authorization', { authorization: undefined }],
  ['authorization', { userOp: { ...build.userOp, initCode: '0x' }, messageToSign: hash({ initCode: '0x' }) }],
  ['authorization.chainId', { authorization: { ...build.authorization, chainId: 0 } }],
  ['authorization.address', { authorization: { ...build.authorization, address: other } }],
  ['authorization.nonce', { authorization: { ...build.authorization, nonce: -1 } }],
])('error: %s %#', (field, changed) => {
  expect(() => verify(changed)).toThrow(expect.objectContaining({ name: 'BuildVerificationError', field }))
})

test('error: more than maximumCost', () => {
  expect(() => verify({}, { maximumCost: 2_099_999n })).toThrow(/may cost 2100000 wei/)
})
