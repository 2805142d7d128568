import { defaultVerifiers } from '@lanyard/accounts'
import fc from 'fast-check'
import { getAddress, type Hex } from 'viem'
import type { Debit, Order, OrderSigner } from '../src/index.ts'

export const bytes = (length: number): fc.Arbitrary<Hex> =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((value): Hex => `0x${Buffer.from(value).toString('hex')}`)

export const uint = (bits: number): fc.Arbitrary<bigint> =>
  fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })

const address = bytes(20).map((value) => getAddress(value))

export const signer: fc.Arbitrary<OrderSigner> = fc.oneof(
  fc.record({ kind: fc.constant('eoa' as const), address }),
  fc.record({ kind: fc.constant('passkey' as const), x: uint(256), y: uint(256), verifiers: uint(176) }),
  fc.constant({ kind: 'passkey' as const, x: 1n, y: 2n, verifiers: defaultVerifiers }),
)

const debit: fc.Arbitrary<Debit> = fc.record({
  chainId: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  amount: uint(128),
  failFee: uint(64),
})

/** Well-formed orders, which may violate the protocol's bounds. */
export const order: fc.Arbitrary<Order> = fc.record({
  paymaster: address,
  paymasterVerificationGasLimit: uint(128),
  paymasterPostOpGasLimit: uint(128),
  claimAmount: uint(128),
  validUntil: fc.integer({ min: 600, max: 2 ** 48 - 1 }),
  debits: fc.array(debit, { maxLength: 6 }),
  signer,
  operatorSignature: bytes(65),
})
