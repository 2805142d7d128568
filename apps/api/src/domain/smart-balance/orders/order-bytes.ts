import { type UserOperation, unpackPaymasterAndData } from '@lanyard/accounts'
import type { GasEstimate } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import {
  decodePaymasterAndData,
  encodePaymasterAndData,
  getOrderTypedData,
  isSponsorship,
  minimumPostOpGas,
  type Order,
  stubOperatorSignature,
  type UnsignedOrder,
} from '@lanyard/smart-balance'
import type { Hex, LocalAccount } from 'viem'

/** An order without its gas limits. */
export type OrderTerms = Omit<UnsignedOrder, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>

/** Three bytes, none of them zero: no real limit costs more as call data. Units of gas. */
const draftGas = 0x01_01_01n

/**
 * `paymasterAndData` for the estimate. Its signature is by an unknown signer, which SmartBalance reports only
 * after all other checks.
 */
export const draftOrder = (terms: OrderTerms): Hex =>
  encodePaymasterAndData({
    ...terms,
    paymasterVerificationGasLimit: draftGas,
    paymasterPostOpGasLimit: isSponsorship(terms) ? 0n : minimumPostOpGas,
    operatorSignature: stubOperatorSignature,
  })

/**
 * The draft with the gas that it needs. postOp writes when the operation fails, and an estimate of a
 * successful operation does not include that, so postOp gets at least the contract's minimum. A sponsorship
 * needs no postOp.
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

/** Combines the terms with the gas of an estimated draft. */
export function withDraftGas(terms: OrderTerms, draft: Hex): UnsignedOrder {
  const gas = unpackPaymasterAndData(draft)
  if (gas) {
    const { paymasterVerificationGasLimit, paymasterPostOpGasLimit } = gas
    return { ...terms, paymasterVerificationGasLimit, paymasterPostOpGasLimit }
  }
  throw new LanyardError('INTERNAL', { cause: 'a draft without its paymaster' })
}

/**
 * Parses the order in bytes that this service created.
 *
 * @throws INTERNAL when the bytes are not such an order
 */
export function readOrder(paymasterAndData: Hex): Order {
  const decoded = decodePaymasterAndData(paymasterAndData)
  if (decoded.ok) return decoded.order
  throw new LanyardError('INTERNAL', { cause: decoded.message })
}

/**
 * Adds the operator's signature over every field of the operation and the order (EIP-712); the result is the
 * final `paymasterAndData`.
 *
 * @param chainId - the output network's
 */
export async function signOrder(
  operator: Pick<LocalAccount, 'signTypedData'>,
  order: UnsignedOrder,
  { operation, chainId }: { readonly operation: UserOperation; readonly chainId: number },
): Promise<Hex> {
  const operatorSignature = await operator.signTypedData(getOrderTypedData({ order, operation, chainId }))
  return encodePaymasterAndData({ ...order, operatorSignature })
}
