import { erc1271Abi } from '@lanyard/onchain'
import {
  concat,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  slice,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { describe, expect, test } from 'vitest'
import type { Call } from '../call.ts'
import { encodeMultiSend } from './calls.ts'
import { defaultDeployment } from './deployment.ts'
import {
  countsSender,
  encodeExecTransaction,
  getSafeTransactionHash,
  type SafeTransaction,
  toSafeTransaction,
} from './transaction.ts'

const payment: Call = { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: 7n, data: '0xcafe' }
const call: Call = { to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', value: 0n, data: '0x12345678' }
const unpaid = {
  safeTxGas: 0n,
  baseGas: 0n,
  gasPrice: 0n,
  gasToken: zeroAddress,
  refundReceiver: zeroAddress,
}
const context = { chainId: 31337, account: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' } as const

test('toSafeTransaction: one call is unchanged', () => {
  expect(toSafeTransaction([payment], 5n)).toEqual({ ...payment, operation: 0, ...unpaid, nonce: 5n })
})

test.each([[[]], [[payment, call]]])('toSafeTransaction: %# calls go through MultiSendCallOnly', (calls) => {
  const data = encodeMultiSend(calls.map((one: Call) => ({ ...one, operation: 'call' })))
  const batch = { value: 0n, data, operation: 1, ...unpaid, nonce: 5n }
  expect(toSafeTransaction(calls, 5n)).toEqual({ to: defaultDeployment.multiSendCallOnly, ...batch })
  const other = { multiSendCallOnly: defaultDeployment.multiSend }
  expect(toSafeTransaction(calls, 5n, other)).toEqual({ to: defaultDeployment.multiSend, ...batch })
})

test('getSafeTransactionHash: matches Safe.sol', () => {
  const { to, value, data, operation, nonce } = toSafeTransaction([payment, call], 5n)
  // SAFE_TX_TYPEHASH and DOMAIN_SEPARATOR_TYPEHASH of Safe.sol 1.4.1.
  const struct = hashOf(
    '0xbb8310d486368db6bd6f849402fdd73ad53d316b5a4b2644ad6efe0f941286d8',
    ['address', to],
    ['uint256', value],
    ['bytes32', keccak256(data)],
    ['uint8', operation],
    ['uint256', 0n],
    ['uint256', 0n],
    ['uint256', 0n],
    ['address', zeroAddress],
    ['address', zeroAddress],
    ['uint256', nonce],
  )
  const domain = hashOf(
    '0x47e79534a245952e8b16893a336b85a3d9ea9fa8c573f3d803afb92a79469218',
    ['uint256', BigInt(context.chainId)],
    ['address', context.account],
  )
  expect(getSafeTransactionHash(toSafeTransaction([payment, call], 5n), context)).toBe(
    keccak256(concat(['0x1901', domain, struct])),
  )
})

test('encodeExecTransaction: every argument is in its place', () => {
  const transaction: SafeTransaction = {
    ...payment,
    operation: 1,
    safeTxGas: 2n,
    baseGas: 3n,
    gasPrice: 4n,
    gasToken: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
    refundReceiver: '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
    nonce: 5n,
  }
  const data = encodeExecTransaction(transaction, '0xdead')
  expect(slice(data, 0, 4)).toBe(
    toFunctionSelector(
      'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    ),
  )
  const values = [
    payment.to,
    7n,
    payment.data,
    1n,
    2n,
    3n,
    4n,
    transaction.gasToken,
    transaction.refundReceiver,
  ]
  const types = [
    'address',
    'uint256',
    'bytes',
    'uint8',
    'uint256',
    'uint256',
    'uint256',
    'address',
    'address',
  ]
  expect(slice(data, 4)).toBe(
    encodeAbiParameters(
      [...types, 'bytes'].map((type) => ({ type })),
      [...values, '0xdead'],
    ),
  )
})

test('erc1271Abi: ERC-1271', () => {
  expect(erc1271Abi.map((item) => toFunctionSelector(item))).toEqual(['0x1626ba7e'])
})

/** EIP-712's hashStruct. */
function hashOf(typeHash: Hex, ...members: readonly (readonly [type: string, value: unknown])[]): Hex {
  const types = ['bytes32', ...members.map(([type]) => type)].map((type) => ({ type }))
  return keccak256(encodeAbiParameters(types, [typeHash, ...members.map(([, value]) => value)]))
}

describe('countsSender', () => {
  const sender = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
  const word = (value: number) => numberToHex(value, { size: 32 })
  const ecdsa = (v: Hex) => concat([pad(sender), word(1), v])
  const approved = concat([pad(sender), word(0), '0x01'])
  /** Signed by a contract, whose bytes begin at an offset. */
  const contract = (signer: Hex, offset: number) => concat([pad(signer), word(offset), '0x00'])
  const bytes = concat([word(2), '0xcafe'])
  const execute = (...signatures: Hex[]) =>
    encodeExecTransaction(toSafeTransaction([payment], 0n), concat(signatures))

  test.each<[string, Hex]>([
    ['a key', execute(ecdsa('0x1b'))],
    ['a key, by a message', execute(ecdsa('0x20'))],
    ['a contract', execute(contract(payment.to, 65), bytes)],
    ['two', execute(ecdsa('0x1c'), contract(payment.to, 130), bytes)],
    ['a contract whose bytes look like an approved hash', execute(contract(payment.to, 65), approved)],
  ])('behavior: not if %s signs', (_, data) => {
    expect(countsSender(data, sender)).toBe(false)
  })

  const plain = execute(ecdsa('0x1b'))
  test.each<[string, Hex]>([
    ['a hash that the sender approves', execute(approved)],
    ['a hash that another owner approved', execute(concat([pad(payment.to), word(0), '0x01']))],
    ['an approved hash after a key', execute(ecdsa('0x1b'), approved)],
    ['an approved hash after a contract', execute(contract(payment.to, 130), approved, bytes)],
    ['an approved hash before the bytes of a contract', execute(contract(payment.to, 1000), approved, bytes)],
    ['a contract at the address of the sender', execute(contract(sender, 65), bytes)],
    ['bytes within the signature itself', execute(contract(payment.to, 64), bytes)],
    ['another form', execute(ecdsa('0x02'))],
    ['a signature that is cut', execute(slice(ecdsa('0x1b'), 0, 64))],
    ['a signature before one that is cut', execute(ecdsa('0x1b'), slice(approved, 0, 64))],
    ['no signature', execute('0x')],
    ['bytes after the call data', concat([plain, '0x00'])],
    ['an offset that a contract may read differently', `${plain}${approved.slice(2)}`],
    ['another function', '0xd4d9bdcd'],
  ])('behavior: %s', (_, data) => {
    expect(countsSender(data, sender)).toBe(true)
  })
})
