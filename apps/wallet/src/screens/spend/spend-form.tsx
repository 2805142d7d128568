import { type FormEvent, useState } from 'react'
import type { Address } from 'viem'
import { NetworkSelect } from '../../networks/network-select.tsx'
import type { SmartBalanceNetwork } from '../../networks/smart-balance-network.ts'
import { readRecipient } from '../../recipients/recipient.ts'
import { RecipientField } from '../../recipients/recipient-field.tsx'
import { useRecipientLookup } from '../../recipients/use-recipient-lookup.ts'
import { useSession } from '../../session/session-context.tsx'
import type { PaymentRequest } from '../../smart-balance/quote.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { focusFirstInvalid } from '../../ui/focus-first-invalid.ts'
import { Select } from '../../ui/select.tsx'
import { SubmitButton } from '../../ui/submit-button.tsx'
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

/** To whom, how much, where it shall arrive; and what that costs, as soon as it can be said. */
export function SpendForm({ networks, draft, onChange, onReview, onCancel, busy, error }: SpendFormProps) {
  const { account } = useSession()
  const [errors, setErrors] = useState<SpendDraftErrors>({})
  const lookup = useRecipientLookup()
  const problem = lookup.error ?? error
  const network = networks.find(({ chainId }) => chainId === draft.chainId) ?? networks[0]
  if (!network) return null
  const change = (next: Partial<SpendDraft>) => {
    setErrors({})
    lookup.reset()
    onChange(next)
  }
  const review = (complete: SpendDraft, form: HTMLFormElement) => {
    const read = readSpendDraft(complete, network.chainId)
    if (read.ok) return onReview({ network, request: read.request, recipient: read.recipient })
    setErrors(read.errors)
    focusFirstInvalid(form)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy || lookup.isPending) return
    const form = event.currentTarget
    const typed = readRecipient(draft.recipient)
    if (draft.chosen || typed.kind !== 'name') return review(draft, form)
    lookup.mutate(typed.name, {
      onSuccess: (chosen) => {
        const complete = chosen ? { ...draft, recipient: chosen.username ?? '', chosen } : draft
        onChange(complete)
        review(complete, form)
      },
    })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Card className="grid gap-5 p-5 sm:p-6">
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
            label="Arrives on"
            networks={networks}
            chainId={network.chainId}
            onChange={(chainId) => change({ chainId })}
          />
          <Field label="The amount is">
            {(control) => (
              <Select
                {...control}
                value={draft.type}
                onChange={({ target: { value } }) =>
                  change({ type: value === 'AMOUNT_IN' ? 'AMOUNT_IN' : 'AMOUNT_OUT' })
                }
              >
                <option value="AMOUNT_OUT">what arrives</option>
                <option value="AMOUNT_IN">what I pay, fee included</option>
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
        {problem && <ErrorNotice error={problem} />}
        <SubmitButton busy={busy || lookup.isPending} onCancel={lookup.isPending ? lookup.cancel : onCancel}>
          Review
        </SubmitButton>
      </Card>
    </form>
  )
}
