import type { Call } from '@lanyard/accounts'
import { nativeOf } from '../../amounts/currency.ts'
import { brand, isShown, shownAsset } from '../../brand/brand.ts'
import { t } from '../../i18n/t.ts'
import { NetworkSelect } from '../../networks/network-select.tsx'
import { balanceOf, useBalances } from '../../networks/use-balances.ts'
import type { Network } from '../../networks/use-networks.ts'
import { PaymentForm } from '../../recipients/payment-form.tsx'
import { RecipientField } from '../../recipients/recipient-field.tsx'
import { useSession } from '../../sign-in/session-context.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { AmountField } from './amount-field.tsx'
import { ContractCallFields } from './contract-call-fields.tsx'
import { type Draft, type DraftErrors, readDraft } from './draft.ts'
import { RecipientWarning } from './recipient-warning.tsx'
import { usePayFromCombined } from './use-pay-from-combined.ts'

interface SendFormProps {
  readonly networks: readonly Network[]
  readonly draft: Draft
  readonly onChange: (change: Partial<Draft>) => void
  readonly onReview: (operation: { network: Network; calls: readonly Call[] }) => void
  readonly onCancel: () => void
  readonly busy: boolean
  readonly error: Error | null
}

/** Network, currency, recipient and amount. Nothing leaves this page before the review. */
export function SendForm(props: SendFormProps) {
  const network = props.networks.find(({ chainId }) => chainId === props.draft.chainId) ?? props.networks[0]
  if (!network) return <p className="text-muted">{t('This service has no networks.')}</p>
  return <NetworkForm {...props} network={network} />
}

function NetworkForm({
  network,
  networks,
  draft: typed,
  onChange,
  onReview,
  onCancel,
  busy,
  error,
}: SendFormProps & { readonly network: Network }) {
  const { account } = useSession()
  const balances = useBalances()

  const draft =
    typed.asset === 'call' ? typed : { ...typed, asset: shownAsset(typed.asset, network.currencies) }
  const isCall = draft.asset === 'call'
  const currency =
    (isCall ? undefined : network.currencies[Number(draft.asset)]) ?? nativeOf(network.currencies)
  const held = balanceOf(
    balances.data?.find(({ chainId }) => chainId === network.chainId),
    currency,
  )
  const payFromCombined = usePayFromCombined(network, currency, held)
  const submit = (complete: Draft): DraftErrors | undefined => {
    if (!isCall && payFromCombined(complete)) return undefined
    const read = readDraft({ ...complete, asset: draft.asset }, network.currencies, isCall ? undefined : held)
    if (!read.ok) return read.errors
    onReview({ network, calls: [read.call] })
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
          <div className="grid gap-4 sm:grid-cols-2">
            <NetworkSelect
              label={t('Network')}
              networks={networks}
              chainId={network.chainId}
              onChange={(chainId) => change({ chainId, asset: 0 })}
            />
            <Field label={t('What')}>
              {(control) => (
                <Select
                  {...control}
                  value={draft.asset}
                  onChange={({ target: { value } }) =>
                    change({ asset: value === 'call' ? 'call' : Number(value) })
                  }
                >
                  {network.currencies.map(
                    (currency, index) =>
                      isShown(currency) && (
                        <option key={currency.symbol} value={index}>
                          {currency.symbol}
                        </option>
                      ),
                  )}
                  {brand.features.contractCalls && <option value="call">{t('Contract call')}</option>}
                </Select>
              )}
            </Field>
          </div>
          <RecipientField
            text={draft.recipient}
            chosen={draft.chosen}
            error={errors.recipient}
            onChange={change}
          />
          <RecipientWarning draft={draft} account={account} currency={currency} isCall={isCall} />
          {isCall && <ContractCallFields draft={draft} errors={errors} onChange={change} />}
          <AmountField
            network={network}
            currency={currency}
            draft={draft}
            error={errors.amount}
            onChange={(amount) => change({ amount })}
          />
        </>
      )}
    </PaymentForm>
  )
}
