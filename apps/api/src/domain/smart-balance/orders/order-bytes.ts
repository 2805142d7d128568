import { unpackPaymasterAndData } from '@lanyard/accounts'
import type { GasEstimate } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import {
  decodePaymasterAndData,
  encodePaymasterAndData,
  isSponsorship,
  minimumPostOpGas,
  type Order,
  stubOperatorSignature,
  type UnsignedOrder,
} from '@lanyard/smart-balance'
import type { Hex } from 'viem'

/** An order without its gas limits. */
export type OrderTerms = Omit<UnsignedOrder, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>

/** Three bytes, none of them zero: as call data, no real limit costs more. Units of gas. */
const draftGas = 0x01_01_01n

/** `paymasterAndData` to estimate with: its signature is nobody's, which SmartBalance answers after all the rest. */
export const draftOrder = (terms: OrderTerms): Hex =>
  encodePaymasterAndData({
    ...terms,
    paymasterVerificationGasLimit: draftGas,
    paymasterPostOpGasLimit: isSponsorship(terms) ? 0n : minimumPostOpGas,
    operatorSignature: stubOperatorSignature,
  })

/**
 * The draft with the gas that it needs. postOp writes when the operation fails, which no estimation of a working
 * operation sees, so it gets the contract's minimum at least. A sponsorship has none.
 */
export function draftOrderWithGas(terms: OrderTerms, estimate: GasEstimate): Hex {
  const { paymasterVerificationGasLimit, paymasterPostOpGasLimit = 0n } = estimate
  if (paymasterVerificationGasLimit === undefined) {
    throw new LanyardError('BUNDLER_FAILED', { cause: 'no paymasterVerificationGasLimit in the estimate' })
  }
  const least = isSponsorship(terms) ? 0n : minimumPostOpGas
  return encodePaymasterAndData({
    ...terms,
    paymasterVerificationGasLimit,
    paymasterPostOpGasLimit: paymasterPostOpGasLimit > least ? paymasterPostOpGasLimit : least,
    operatorSignature: stubOperatorSignature,
  })
}

/** Puts terms and gas together. The gas is that of a draft which was estimated. */
export function withDraftGas(terms: OrderTerms, draft: Hex): UnsignedOrder {
  const gas = unpackPaymasterAndData(draft)
  if (gas) {
    const { paymasterVerificationGasLimit, paymasterPostOpGasLimit } = gas
    return { ...terms, paymasterVerificationGasLimit, paymasterPostOpGasLimit }
  }
  throw new LanyardError('INTERNAL', { cause: 'a draft without its paymaster' })
}

/**
 * The order in bytes that this service made.
 *
 * @throws INTERNAL when they are not
 */
export function readOrder(paymasterAndData: Hex): Order {
  const decoded = decodePaymasterAndData(paymasterAndData)
  if (decoded.ok) return decoded.order
  throw new LanyardError('INTERNAL', { cause: decoded.message })
}
