import type { Call } from '@lanyard/accounts'
import { nativeOf } from '@lanyard/calls'
import { brand } from '@lanyard/ui'
import type { Address } from 'viem'
import { shownAsset } from '../../amounts/currency.ts'
import { CurrencySelect } from '../../amounts/currency-select.tsx'
import { balanceOf, useBalances } from '../../holdings/use-balances.ts'
import { t } from '../../i18n/t.ts'
import { NetworkSelect } from '../../networks/network-select.tsx'
import type { Network, SmartBalanceNetwork } from '../../networks/use-networks.ts'
import { lookAlikeOf } from '../../recipients/look-alike.ts'
import { LookAlikeNotice } from '../../recipients/look-alike-notice.tsx'
import { PaymentForm } from '../../recipients/payment-form.tsx'
import { isPaymentUri, readRecipient, typedRecipient } from '../../recipients/recipient.ts'
import { RecipientField } from '../../recipients/recipient-field.tsx'
import { useSession } from '../../sign-in/session-context.tsx'
import type { PaymentRequest } from '../../smart-balance/quote.ts'
import { useDeposits } from '../../smart-balance/use-deposits.ts'
import { AmountField } from './amount-field.tsx'
import { readCombinedDraft } from './combined-draft.ts'
import { ContractCallFields } from './contract-call-fields.tsx'
import { type Draft, type DraftErrors, draftOfRequest, readDraft } from './draft.ts'
import { cheapestSource, firstHeld, isSettled, networkToPay } from './payment-source.ts'
import { RecipientHint } from './recipient-hint.tsx'
import { SourceFacts } from './source-facts.tsx'

/** A payment from the combined balance. */
export interface CombinedPayment {
  readonly network: SmartBalanceNetwork
  readonly request: PaymentRequest
  readonly recipient: Address
}

/** What the account does itself on one network. */
export interface AccountPayment {
  readonly network: Network
  readonly calls: readonly Call[]
  /** What the combined balance can do instead, if the account turns out not to have enough for the fee. */
  readonly instead?: CombinedPayment | undefined
}

interface SendFormProps {
  readonly networks: readonly Network[]
  readonly draft: Draft
  readonly onChange: (change: Partial<Draft>) => void
  readonly onReview: (payment: AccountPayment | CombinedPayment) => void
  readonly onCancel: () => void
  readonly busy: boolean
  readonly error: Error | null
}

/** Network, currency, recipient and amount. The form finds what pays. Nothing leaves this page before the review. */
export function SendForm(props: SendFormProps) {
  const { data: balances } = useBalances()
  const { data: deposits } = useDeposits()
  const chosen = props.networks.find(({ chainId }) => chainId === props.draft.chainId)
  const first = firstHeld(chosen ? [chosen] : props.networks, balances, deposits)
  if (!first.network) return <p className="text-muted">{t('This service has no networks.')}</p>
  const asset = props.draft.asset ?? first.asset
  const currency = asset === 'call' ? undefined : first.network.currencies[asset]
  const network =
    chosen ??
    (currency
      ? networkToPay(first.network, currency, props.draft.amount, props.networks, balances)
      : first.network)
  return <NetworkForm {...props} network={network} draft={{ ...props.draft, asset }} />
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
  const session = useSession()
  const { account } = session
  const balances = useBalances()
  const { data: deposits } = useDeposits()
  const doubtOf = (complete: Draft) => {
    const recipient = typedRecipient(complete)
    const lookAlike = lookAlikeOf(recipient, session)
    return recipient && lookAlike && { recipient, lookAlike }
  }
  const doubt = doubtOf(typed)
  const isConfirmed = doubt !== undefined && typed.confirmed === doubt.recipient.address

  // Nobody has to press a button to hear that a request cannot be paid.
  const read = readRecipient(typed.recipient)
  const refusal = isPaymentUri(typed.recipient) && read.kind === 'wrong' ? read.message : undefined

  const draft =
    typed.asset === 'call' ? typed : { ...typed, asset: shownAsset(typed.asset ?? 0, network.currencies) }
  const isCall = draft.asset === 'call'
  const currency =
    (isCall ? undefined : network.currencies[Number(draft.asset)]) ?? nativeOf(network.currencies)
  const balance = balances.data?.find(({ chainId }) => chainId === network.chainId)
  const sourceOf = ({ amount, ...complete }: Draft) =>
    cheapestSource({
      account,
      network,
      currency,
      amount,
      balance,
      deposits,
      recipient: typedRecipient(complete)?.address,
    })
  const source = sourceOf(draft)
  const submit = (complete: Draft): DraftErrors | undefined => {
    const doubted = doubtOf(complete)?.recipient.address
    if (doubted && doubted !== complete.confirmed) return { confirmation: t('Confirm the address first.') }
    const combined = isSettled(network, currency)
      ? { network, read: readCombinedDraft(complete, network.chainId) }
      : undefined
    const payment = combined?.read.ok
      ? { network: combined.network, request: combined.read.request, recipient: combined.read.recipient }
      : undefined
    if (combined && sourceOf(complete) === 'combined') {
      if (!payment) return combined.read.ok ? undefined : combined.read.errors
      onReview(payment)
      return undefined
    }
    const held = isCall ? undefined : balanceOf(balance, currency)
    const read = readDraft({ ...complete, asset: draft.asset }, network.currencies, held)
    if (!read.ok) return read.errors
    onReview({ network, calls: [read.call], ...(payment && { instead: payment }) })
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
              onChange={(chainId) => change({ chainId, asset: sameAsset(draft, network, networks, chainId) })}
            />
            <CurrencySelect
              currencies={network.currencies}
              value={draft.asset}
              onChange={(value) => change({ asset: value === 'call' ? 'call' : Number(value) })}
            >
              {brand.features.contractCalls && <option value="call">{t('Contract call')}</option>}
            </CurrencySelect>
          </div>
          <RecipientField
            text={draft.recipient}
            chosen={draft.chosen}
            error={errors.recipient ?? refusal}
            isDoubtful={doubt !== undefined && !isConfirmed}
            onChange={(next) => change(draftOfRequest(next.recipient, networks) ?? next)}
          />
          {doubt && (
            <LookAlikeNotice
              key={doubt.recipient.address}
              {...doubt}
              isConfirmed={isConfirmed}
              error={errors.confirmation}
              onConfirm={() => change({ confirmed: doubt.recipient.address })}
              onInstead={() => {
                const { address, contact, username } = doubt.lookAlike.known
                change({ recipient: contact ?? username ?? address, chosen: { address, username } })
              }}
            />
          )}
          {!isCall && (
            <RecipientHint
              draft={draft}
              account={account}
              network={network}
              source={source}
              onOwnAddress={() => change({ recipient: account, chosen: undefined })}
            />
          )}
          {isCall && <ContractCallFields draft={draft} errors={errors} onChange={change} />}
          <AmountField
            network={network}
            currency={currency}
            source={source}
            draft={draft}
            error={errors.amount}
            onChange={(amount) => change({ amount })}
          />
          {!isCall && (
            <SourceFacts
              network={network}
              currency={currency}
              source={source}
              draft={draft}
              onChange={change}
            />
          )}
        </>
      )}
    </PaymentForm>
  )
}

/** The same currency on another network, or its first one. */
function sameAsset(
  { asset }: Draft,
  from: Network,
  networks: readonly Network[],
  chainId: number,
): Draft['asset'] {
  const symbol = from.currencies[Number(asset)]?.symbol
  const to = networks.find((network) => network.chainId === chainId)
  return Math.max(0, to?.currencies.findIndex((currency) => currency.symbol === symbol) ?? 0)
}
