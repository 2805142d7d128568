import type { Address } from 'viem'
import { t } from '../../i18n/t.ts'
import { NetworkSelect } from '../../networks/network-select.tsx'
import type { SmartBalanceNetwork } from '../../networks/smart-balance-network.ts'
import { PaymentForm } from '../../recipients/payment-form.tsx'
import { RecipientField } from '../../recipients/recipient-field.tsx'
import { useSession } from '../../sign-in/session-context.tsx'
import type { PaymentRequest } from '../../smart-balance/quote.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { QuoteFacts } from './quote-facts.tsx'
import { SpendAmountField } from './spend-amount-field.tsx'
import { readPaymentRequest, readSpendDraft, type SpendDraft, type SpendDraftErrors } from './spend-draft.ts'
import { SpendRecipientHint } from './spend-recipient-hint.tsx'

interface SpendFormProps {
  readonly networks: readonly SmartBalanceNetwork[]
  readonly draft: SpendDraft
  readonly onChange: (change: Partial<SpendDraft>) => void
  readonly onReview: (payment: {
    network: SmartBalanceNetwork
    request: PaymentRequest
    recipient: Address
  }) => void
  readonly onCancel: () => void
  readonly busy: boolean
  readonly error: Error | null
}

/** The recipient, amount and network of a payment, and its price once known. */
export function SpendForm({ networks, draft, onChange, onReview, onCancel, busy, error }: SpendFormProps) {
  const { account } = useSession()
  const network = networks.find(({ chainId }) => chainId === draft.chainId) ?? networks[0]
  if (!network) return null
  const submit = (complete: SpendDraft): SpendDraftErrors | undefined => {
    const read = readSpendDraft(complete, network.chainId)
    if (!read.ok) return read.errors
    onReview({ network, request: read.request, recipient: read.recipient })
    return undefined
  }
  return (
    <PaymentForm
      draft={draft}
      onChange={onChange}
      onSubmit={submit}
      onCancel={onCancel}
      busy={busy}
      error={error}
    >
      {({ errors, change }) => (
        <>
          <RecipientField
            text={draft.recipient}
            chosen={draft.chosen}
            error={errors.recipient}
            onChange={change}
          />
          <SpendRecipientHint
            draft={draft}
            network={network}
            account={account}
            onOwnAddress={() => change({ recipient: account, chosen: undefined })}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <NetworkSelect
              label={t('Arrives on')}
              networks={networks}
              chainId={network.chainId}
              onChange={(chainId) => change({ chainId })}
            />
            <Field label={t('The amount is')}>
              {(control) => (
                <Select
                  {...control}
                  value={draft.type}
                  onChange={({ target: { value } }) =>
                    change({ type: value === 'AMOUNT_IN' ? 'AMOUNT_IN' : 'AMOUNT_OUT' })
                  }
                >
                  <option value="AMOUNT_OUT">{t('What the recipient gets')}</option>
                  <option value="AMOUNT_IN">{t('What I pay, including the fee')}</option>
                </Select>
              )}
            </Field>
          </div>
          <SpendAmountField
            network={network}
            draft={draft}
            error={errors.amount}
            onChange={(amount) => change({ amount })}
          />
          <QuoteFacts
            network={network}
            request={readPaymentRequest(draft, network.chainId)}
            onAmount={(amount) => change({ amount })}
          />
        </>
      )}
    </PaymentForm>
  )
}
