import { Button, Notice } from '@lanyard/ui'
import { type Address, isAddressEqual } from 'viem'
import { rich, t } from '../../i18n/t.ts'
import { hasSmartBalance, type Network } from '../../networks/use-networks.ts'
import { typedRecipient } from '../../recipients/recipient.ts'
import type { Draft } from './draft.ts'
import type { PaymentSource } from './payment-source.ts'

interface RecipientHintProps {
  readonly draft: Draft
  readonly account: Address
  readonly network: Network
  readonly source: PaymentSource
  readonly onOwnAddress: () => void
}

/**
 * Warns about recipients that are valid but probably a mistake, and explains the own address, which takes money out of
 * the combined balance.
 */
export function RecipientHint({ draft, account, network, source, onOwnAddress }: RecipientHintProps) {
  const to = typedRecipient(draft)?.address
  if (!to)
    return draft.recipient === '' && source === 'combined' ? (
      <Button
        variant="quiet"
        size="small"
        className="-mt-3 -ml-2.5 justify-self-start"
        onClick={onOwnAddress}
      >
        {t('To my own account')}
      </Button>
    ) : null
  if (isAddressEqual(to, account))
    return source === 'combined' ? (
      <Notice>
        {rich('This is your own address: the money moves to your account on {network}.', {
          network: network.name,
        })}
      </Notice>
    ) : (
      <Notice tone="warning">{t('This is your own address. You would only pay the fee.')}</Notice>
    )
  const contract = network.currencies.find(({ token }) => token && isAddressEqual(to, token))
  if (contract)
    return (
      <Notice tone="warning">
        {rich('This is the address of the {symbol} contract, not of a person. What you send there is lost.', {
          symbol: contract.symbol,
        })}
      </Notice>
    )
  if (hasSmartBalance(network) && isAddressEqual(to, network.smartBalance.address))
    return (
      <Notice tone="warning">
        {t('This is the address of a contract, not of a person. What you send there is lost.')}
      </Notice>
    )
  return null
}
