import { useSession } from '../../session/session-context.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { FullAddress } from '../../ui/full-address.tsx'
import { QrCode } from '../../ui/qr-code.tsx'

/** The address to receive at. */
export function AddressCard() {
  const { account } = useSession()
  return (
    <Card aria-labelledby="address" className="grid gap-4 p-5">
      <div className="flex items-center justify-between gap-3">
        <h2 id="address" className="font-semibold">
          Your address
        </h2>
        <CopyButton text={account} label="Copy your address" />
      </div>
      <FullAddress address={account} />
      <div className="mx-auto w-44">
        <QrCode text={account} label="QR code of your address" />
      </div>
      <p className="text-muted text-sm">
        The same on every network here. Where it says “not deployed yet” you can receive already; your first
        transaction there deploys the account.
      </p>
    </Card>
  )
}
