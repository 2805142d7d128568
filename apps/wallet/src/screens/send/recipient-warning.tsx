import { type Address, isAddressEqual } from 'viem'
import type { Currency } from '../../amounts/currency.ts'
import { rich, t } from '../../i18n/t.ts'
import { parseAddress } from '../../recipients/recipient.ts'
import { Notice } from '../../ui/notice.tsx'
import type { Draft } from './draft.ts'

interface RecipientWarningProps {
  readonly draft: Draft
  readonly account: Address
  readonly currency: Currency
  readonly isCall: boolean
}

/** Warns about recipients that are valid but probably a mistake. */
export function RecipientWarning({ draft, account, currency, isCall }: RecipientWarningProps) {
  const parsed = parseAddress(draft.recipient)
  const to = draft.chosen?.address ?? (parsed.ok ? parsed.address : undefined)
  if (!to || isCall) return null
  if (isAddressEqual(to, account))
    return <Notice tone="warning">{t('This is your own address. You would only pay the fee.')}</Notice>
  if (currency.token && isAddressEqual(to, currency.token))
    return (
      <Notice tone="warning">
        {rich('This is the address of the {symbol} contract, not of a person. What you send there is lost.', {
          symbol: currency.symbol,
        })}
      </Notice>
    )
  return null
}
