import type { GuardianSet } from '@lanyard/accounts'
import { delayText } from '../../guardians/guardian-draft.ts'
import { rich, t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import type { Network } from '../../networks/use-networks.ts'
import { useRecipientNames } from '../../recipients/use-recipient-names.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FullAddress } from '../../ui/full-address.tsx'
import { Identicon } from '../../ui/identicon.tsx'
import { Notice } from '../../ui/notice.tsx'

interface GuardianListProps {
  readonly guardians: GuardianSet | 'unknown'
  /** Networks on which they are in force. */
  readonly chainIds: readonly number[]
  readonly networks: readonly Network[]
  readonly onChange: () => void
}

/** The guardians in force. */
export function GuardianList({ guardians, chainIds, networks, onChange }: GuardianListProps) {
  const names = useRecipientNames()
  return (
    <Card aria-labelledby="guardians-now" className="grid gap-4 p-5">
      <h2 id="guardians-now" className="font-semibold">
        {t('Your guardians')}
      </h2>
      {guardians === 'unknown' ? (
        <Notice tone="warning" title={t('This service does not know who they are.')}>
          {t('They were set elsewhere. Choose guardians here if you do not know them either.')}
        </Notice>
      ) : (
        <>
          <p className="text-sm">
            {rich('{threshold} of {count} together can recover your account, after {delay}.', {
              threshold: guardians.threshold,
              count: guardians.members.length,
              delay: delayText(guardians.delay),
            })}
          </p>
          <ul className="divide-y divide-line" aria-label={t('Your guardians')}>
            {guardians.members.map((address) => (
              <li key={address} className="flex items-center gap-3 py-2.5">
                <Identicon address={address} />
                <span className="grid min-w-0">
                  <span className="truncate font-medium">
                    {names.get(address.toLowerCase()) ?? t('No name')}
                  </span>
                  <FullAddress address={address} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="text-muted text-sm">
        {t('In force on {networks}.', { networks: nameNetworks(chainIds, networks) })}
      </p>
      <Button variant="secondary" className="justify-self-start" onClick={onChange}>
        {t('Change guardians')}
      </Button>
    </Card>
  )
}
