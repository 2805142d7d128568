import type { DescriptionTerms } from '@lanyard/session-keys'
import { type Currency, nativeOf } from '../amounts/currency.ts'
import { formatAmount } from '../amounts/format-amount.ts'
import { t } from '../i18n/t.ts'
import { knownFunctions } from './known-functions.ts'

/** How this wallet describes a session. It shows amounts only of tokens that it knows. */
export function sessionTerms(currencies: readonly Currency[]): DescriptionTerms {
  return {
    native: nativeOf(currencies),
    tokens: currencies.flatMap(({ token, symbol, decimals }) =>
      token ? [{ address: token, symbol, decimals }] : [],
    ),
    functions: knownFunctions(),
    say: t,
    format: formatAmount,
  }
}
