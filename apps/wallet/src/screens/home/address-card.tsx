import { Card, CopyButton, FullAddress, Notice, QrCode } from '@lanyard/ui'
import { t } from '../../i18n/t.ts'
import { useSession } from '../../sign-in/session-context.tsx'

/** The account's address for receiving money. */
export function AddressCard() {
  const { account, unproven } = useSession()
  return (
    <Card aria-labelledby="address" className="grid gap-4 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="address" className="font-semibold">
          {t('Your address')}
        </h2>
        <CopyButton text={account} label={t('Copy your address')} />
      </div>
      <FullAddress address={account} />
      {unproven && (
        <Notice tone="warning" title={t('Compare this address first.')}>
          {t(
            'This browser does not know your account and cannot derive its address from the passkey that you used. Check that your recovery kit names the same address before you receive anything.',
          )}
        </Notice>
      )}
      <div className="mx-auto w-44 max-w-full">
        <QrCode text={account} label={t('QR code of your address')} />
      </div>
      <p className="text-muted text-sm">
        {t(
          'The same on every network of this service. You can receive even where it says “Not deployed yet”. Your first transaction there deploys the account.',
        )}
      </p>
    </Card>
  )
}
