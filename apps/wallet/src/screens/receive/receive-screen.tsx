import { nativeOf } from '@lanyard/calls'
import {
  Card,
  CopyButton,
  Details,
  FullAddress,
  QrCode,
  Screen,
  ShareButton,
  useStoredDraft,
} from '@lanyard/ui'
import { useSearchParams } from 'react-router'
import type { Address } from 'viem'
import { AmountInput } from '../../amounts/amount-input.tsx'
import { parseAmount } from '../../amounts/amounts.ts'
import { shownAsset } from '../../amounts/currency.ts'
import { CurrencySelect } from '../../amounts/currency-select.tsx'
import { t } from '../../i18n/t.ts'
import { NetworkSelect } from '../../networks/network-select.tsx'
import { type Network, useNetworks } from '../../networks/use-networks.ts'
import { paymentUri, requestLink } from '../../recipients/payment-uri.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { UnprovenNotice } from '../../sign-in/unproven-notice.tsx'

/** The address as a QR code, and a payment request if the payer's wallet supports one. */
export function ReceiveScreen() {
  const { account } = useSession()
  const { data: networks } = useNetworks()
  const { draft, change } = useStoredDraft<RequestDraft>(`receive.${account}`, noRequest)
  const request = networks && requestOf(draft, networks, account)
  const text = request ?? account
  const [search] = useSearchParams()
  return (
    <Screen title={t('Receive')} narrow>
      <Card className="grid justify-items-center gap-4 p-5">
        <UnprovenNotice />
        <div className="w-56 max-w-full sm:w-64">
          <QrCode text={text} label={request ? t('QR code of your request') : t('QR code of your address')} />
        </div>
        <FullAddress address={account} />
        <div className="flex flex-wrap justify-center gap-2.5">
          <CopyButton text={account} label={t('Copy your address')} />
          <ShareButton text={request ? requestLink(request) : account} />
        </div>
        <p className="text-center text-muted text-sm">
          {t('One address for every network of this service.')}
        </p>
      </Card>
      {networks && (
        <Details summary={t('Request an amount')} open={request !== undefined || search.has('request')}>
          <RequestForm networks={networks} draft={draft} uri={request} onChange={change} />
        </Details>
      )}
    </Screen>
  )
}

/** The payment request as typed. */
interface RequestDraft {
  /** Undefined: the first network. */
  readonly chainId?: number
  /** A currency's index. */
  readonly asset: number
  readonly amount: string
}

const noRequest: RequestDraft = { asset: 0, amount: '' }

/** The network and currency of a draft. If its network no longer exists, the first one is used. */
function placeOf({ chainId, asset }: RequestDraft, networks: readonly Network[]) {
  const network = networks.find((candidate) => candidate.chainId === chainId) ?? networks[0]
  const currencies = network?.currencies ?? []
  return { network, currency: currencies[shownAsset(asset, currencies)] ?? nativeOf(currencies) }
}

/** The payment request as payers' wallets read it. Undefined without an amount. */
function requestOf(draft: RequestDraft, networks: readonly Network[], to: Address): string | undefined {
  const { network, currency } = placeOf(draft, networks)
  const amount = parseAmount(draft.amount, currency.decimals)
  if (!network || !amount.ok || amount.value === 0n) return undefined
  return paymentUri({ to, chainId: network.chainId, currency, amount: amount.value })
}

function RequestForm({
  networks,
  draft,
  uri,
  onChange,
}: {
  networks: readonly Network[]
  draft: RequestDraft
  uri: string | undefined
  onChange: (changed: Partial<RequestDraft>) => void
}) {
  const { network, currency } = placeOf(draft, networks)
  const parsed = parseAmount(draft.amount, currency.decimals)
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <NetworkSelect
          label={t('Network')}
          networks={networks}
          chainId={network?.chainId ?? 0}
          onChange={(next) => onChange({ chainId: next, asset: 0 })}
        />
        <CurrencySelect
          currencies={network?.currencies}
          value={draft.asset}
          onChange={(value) => onChange({ asset: Number(value) })}
        />
      </div>
      <AmountInput
        symbol={currency.symbol}
        value={draft.amount}
        hint={t('The QR code above then asks the payer’s wallet for exactly this.')}
        error={draft.amount !== '' && !parsed.ok ? parsed.message : undefined}
        onChange={(amount) => onChange({ amount })}
      />
      {uri && (
        <div className="flex flex-wrap items-center justify-between gap-2 rounded-field bg-sunken p-3 text-sm">
          <p className="min-w-0 flex-1">
            <span className="text-muted">{t('Or send this link')}</span>{' '}
            <code className="break-all font-mono text-xs">{requestLink(uri)}</code>
          </p>
          <CopyButton text={requestLink(uri)} label={t('Copy the link of your request')} />
        </div>
      )}
    </div>
  )
}
