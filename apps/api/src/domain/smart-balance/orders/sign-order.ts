import type { UserOperation } from '@lanyard/accounts'
import { encodePaymasterAndData, getOrderTypedData, type UnsignedOrder } from '@lanyard/smart-balance'
import type { Hex, LocalAccount } from 'viem'

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
