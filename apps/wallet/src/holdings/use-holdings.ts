import { type Address, isAddressEqual, zeroAddress } from 'viem'
import type { Network } from '../networks/use-networks.ts'
import { balanceOf, useBalances } from './use-balances.ts'

/**
 * What the account holds of a token on a network (zero address: the native currency), in base units. The
 * function returns undefined if that is unknown.
 */
export function useHoldings({ chainId, currencies }: Network): (token: Address) => bigint | undefined {
  const { data } = useBalances()
  const balance = data?.find((candidate) => candidate.chainId === chainId)
  return (token) => {
    const currency = currencies.find((known) => isAddressEqual(known.token ?? zeroAddress, token))
    return currency && balanceOf(balance, currency)
  }
}
