import type { Address } from 'viem'
import type { Currency } from '../../amounts/currency.ts'

interface PaymentUriInput {
  readonly to: Address
  readonly chainId: number
  readonly currency: Currency
  /** Base units. Undefined: the payer chooses the amount. */
  readonly amount: bigint | undefined
}

/** A payment request that wallets read from a QR code (ERC-681): native value, or a token transfer. */
export function paymentUri({ to, chainId, currency, amount }: PaymentUriInput): string {
  if (!currency.token) return `ethereum:${to}@${chainId}${amount === undefined ? '' : `?value=${amount}`}`
  const query = `address=${to}${amount === undefined ? '' : `&uint256=${amount}`}`
  return `ethereum:${currency.token}@${chainId}/transfer?${query}`
}
