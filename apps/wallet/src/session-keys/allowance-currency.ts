import { shortAddress } from '@lanyard/ui'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import { type Currency, nativeOf } from '../amounts/currency.ts'
import { t } from '../i18n/t.ts'

/** The currency of an allowance's token. Amounts of unknown tokens are in base units. */
export function allowanceCurrency(token: Address, currencies: readonly Currency[]): Currency {
  if (isAddressEqual(token, zeroAddress)) return nativeOf(currencies)
  const known = currencies.find((currency) => currency.token && isAddressEqual(currency.token, token))
  return known ?? { symbol: t('Base units of {address}', { address: shortAddress(token) }), decimals: 0 }
}
