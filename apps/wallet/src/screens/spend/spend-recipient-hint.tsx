import { type Address, isAddressEqual } from 'viem'
import { rich, t } from '../../i18n/t.ts'
import type { SmartBalanceNetwork } from '../../networks/smart-balance-network.ts'
import { parseAddress } from '../../recipients/recipient.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { SpendDraft } from './spend-draft.ts'

interface SpendRecipientHintProps {
  readonly draft: SpendDraft
  readonly network: SmartBalanceNetwork
  readonly account: Address
  readonly onOwnAddress: () => void
}

/**
 * Warns about recipients that are valid but probably a mistake, and explains the own address, which withdraws
 * the money.
 */
export function SpendRecipientHint({ draft, network, account, onOwnAddress }: SpendRecipientHintProps) {
  const parsed = parseAddress(draft.recipient)
  const to = draft.chosen?.address ?? (parsed.ok ? parsed.address : undefined)
  const { address, token } = network.smartBalance
  if (!to)
    return draft.recipient === '' ? (
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
    return (
      <Notice>
        {rich('This is your own address: the money moves to your account on {network}.', {
          network: network.name,
        })}
      </Notice>
    )
  if (isAddressEqual(to, token.token) || isAddressEqual(to, address))
    return (
      <Notice tone="warning">
        {t('This is the address of a contract, not of a person. What you send there is lost.')}
      </Notice>
    )
  return null
}
