import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { AmountInput } from '../../amounts/amount-input.tsx'
import { type Currency, nativeCurrency } from '../../amounts/currency.ts'
import { parseAmount } from '../../amounts/parse-amount.ts'
import { NetworkSelect } from '../../networks/network-select.tsx'
import { type Network, useNetworks } from '../../networks/use-networks.ts'
import { useSession } from '../../session/session-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Details } from '../../ui/details.tsx'
import { Field } from '../../ui/field.tsx'
import { FullAddress } from '../../ui/full-address.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { Screen } from '../../ui/screen.tsx'
import { Select } from '../../ui/select.tsx'
import { paymentUri } from './payment-uri.ts'

/** The address, large enough for a camera; and a request for an amount, where the payer's wallet reads one. */
export function ReceiveScreen() {
  const { account, unproven } = useSession()
  const { data: networks } = useNetworks()
  const [request, setRequest] = useState<string>()
  const text = request ?? account
  return (
    <Screen title="Receive" narrow>
      <Card className="grid justify-items-center gap-4 p-5">
        {unproven && (
          <Notice tone="warning" title="Compare this address first.">
            This browser does not know your account and cannot derive its address from the passkey that you
            used. Check that your recovery kit names the same address before you receive anything.
          </Notice>
        )}
        <div className="w-56 sm:w-64">
          <QrCode text={text} label={request ? 'QR code of your request' : 'QR code of your address'} />
        </div>
        <FullAddress address={account} />
        <div className="flex flex-wrap justify-center gap-2.5">
          <CopyButton text={account} label="Copy your address" />
          <ShareButton text={text} />
        </div>
        <p className="text-center text-muted text-sm">One address for every network of this service.</p>
      </Card>
      {networks && (
        <Details summary="Request an amount">
          <RequestForm networks={networks} onChange={setRequest} />
        </Details>
      )}
    </Screen>
  )
}

/** Opens the device's own list of ways to share; not every browser has one. */
function ShareButton({ text }: { text: string }) {
  if (!('share' in navigator)) return null
  return (
    // A share that was closed is no failure.
    <Button look="secondary" onClick={() => void navigator.share({ text }).catch(() => undefined)}>
      <Share2 className="size-4" aria-hidden="true" />
      Share
    </Button>
  )
}

function RequestForm({
  networks,
  onChange,
}: {
  networks: readonly Network[]
  onChange: (uri: string | undefined) => void
}) {
  const { account } = useSession()
  const [draft, setDraft] = useState({ chainId: networks[0]?.chainId ?? 0, asset: 0, amount: '' })
  const currencyOf = (chainId: number, asset: number): Currency =>
    networks.find((network) => network.chainId === chainId)?.currencies[asset] ?? nativeCurrency
  const currency = currencyOf(draft.chainId, draft.asset)
  const parsed = parseAmount(draft.amount, currency.decimals)
  const change = (changed: Partial<typeof draft>) => {
    const next = { ...draft, ...changed }
    setDraft(next)
    const of = currencyOf(next.chainId, next.asset)
    const amount = parseAmount(next.amount, of.decimals)
    onChange(
      amount.ok && amount.value > 0n
        ? paymentUri({ to: account, chainId: next.chainId, currency: of, amount: amount.value })
        : undefined,
    )
  }
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <NetworkSelect
          label="Network"
          networks={networks}
          chainId={draft.chainId}
          onChange={(chainId) => change({ chainId, asset: 0 })}
        />
        <Field label="What">
          {(control) => (
            <Select
              {...control}
              value={draft.asset}
              onChange={(event) => change({ asset: Number(event.target.value) })}
            >
              {networks
                .find(({ chainId }) => chainId === draft.chainId)
                ?.currencies.map(({ symbol }, index) => (
                  <option key={symbol} value={index}>
                    {symbol}
                  </option>
                ))}
            </Select>
          )}
        </Field>
      </div>
      <AmountInput
        symbol={currency.symbol}
        value={draft.amount}
        hint="The QR code above then asks the payer’s wallet for exactly this."
        error={draft.amount !== '' && !parsed.ok ? parsed.message : undefined}
        onChange={(amount) => change({ amount })}
      />
    </div>
  )
}
