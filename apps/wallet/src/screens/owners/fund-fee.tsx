import { Button, CopyButton, FullAddress, Notice } from '@lanyard/ui'
import { describeError } from '../../errors/describe-error.ts'
import { t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { FaucetButton } from '../home/faucet-button.tsx'

interface FundFeeProps {
  readonly network: Network
  readonly error: Error
  readonly onFunded: () => void
}

/** Explains how to fund a network's fee, if the account cannot pay it and the service does not. */
export function FundFee({ network, error, onFunded }: FundFeeProps) {
  const { account } = useSession()
  return (
    <Notice
      tone="warning"
      title={t('Your account needs a network fee on {network}.', { network: network.name })}
    >
      <div className="grid gap-3">
        <p>{describeError(error).advice}</p>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <FullAddress address={account} />
          <CopyButton text={account} label={t('Copy your address')} />
        </div>
        <div className="flex flex-wrap items-center gap-2.5">
          {network.local && <FaucetButton network={network} />}
          <Button
            variant="secondary"
            size="small"
            aria-label={t('Try again on {network}', { network: network.name })}
            onClick={onFunded}
          >
            {t('Try again')}
          </Button>
        </div>
      </div>
    </Notice>
  )
}
