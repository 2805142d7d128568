import type { UserOperation } from '@lanyard/accounts'
import { encodePaymasterAndData, getOrderTypedData, type UnsignedOrder } from '@lanyard/smart-balance'
import type { Hex, LocalAccount } from 'viem'

/**
 * The operator's signature over every field of the operation and of the order (EIP-712), in its place: the final
 * `paymasterAndData`.
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
