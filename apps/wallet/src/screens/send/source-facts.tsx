import { Field, Select } from '@lanyard/ui'
import type { Currency } from '../../amounts/currency.ts'
import { t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { readPaymentRequest } from './combined-draft.ts'
import type { Draft } from './draft.ts'
import { isSettled, type PaymentSource } from './payment-source.ts'
import { QuoteFacts } from './quote-facts.tsx'

interface SourceFactsProps {
  readonly network: Network
  readonly currency: Currency
  readonly source: PaymentSource
  readonly draft: Draft
  readonly onChange: (change: Partial<Draft>) => void
}

/** Where the money comes from, and the price if the combined balance pays. Renders nothing for other currencies. */
export function SourceFacts({ network, currency, source, draft, onChange }: SourceFactsProps) {
  if (!isSettled(network, currency)) return null
  const request = readPaymentRequest(draft, network.chainId)
  if (source === 'account')
    return request ? (
      <p className="text-muted text-sm">
        {t('Your account on {network} pays. You pay only the network fee, which you see before you sign.', {
          network: network.name,
        })}
      </p>
    ) : null
  return (
    <>
      {request && (
        <p className="text-muted text-sm">
          {t('Your combined balance pays, with one signature. The money arrives on {network}.', {
            network: network.name,
          })}
        </p>
      )}
      <Field label={t('The amount is')}>
        {(control) => (
          <Select
            {...control}
            value={draft.type}
            onChange={({ target: { value } }) =>
              onChange({ type: value === 'AMOUNT_IN' ? 'AMOUNT_IN' : 'AMOUNT_OUT' })
            }
          >
            <option value="AMOUNT_OUT">{t('What the recipient gets')}</option>
            <option value="AMOUNT_IN">{t('What I pay, including the fee')}</option>
          </Select>
        )}
      </Field>
      <QuoteFacts network={network} request={request} onAmount={(amount) => onChange({ amount })} />
    </>
  )
}
