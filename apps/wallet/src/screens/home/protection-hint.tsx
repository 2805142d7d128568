import { Notice } from '@lanyard/ui'
import { ArrowRight } from 'lucide-react'
import { type ComponentProps, type ComponentType, lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { rich, t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import { useLossAnswer } from '../../owners/use-protection.ts'

/** Advice comes after the rest of Home, and is missing if it does not arrive. */
const BackupAdvice = lazy<
  ComponentType<ComponentProps<typeof import('../../owners/backup-advice.tsx').BackupAdvice>>
>(() =>
  import('../../owners/backup-advice.tsx').then(
    ({ BackupAdvice }) => ({ default: BackupAdvice }),
    () => ({ default: () => null }),
  ),
)

/** Suggests adding a second owner where losing the passkey would lose the account, as Protection says it, and finishing a removal. */
export function ProtectionHint() {
  const loss = useLossAnswer()
  if (!loss) return null
  const { networks, known, leaving, staying, guardians } = loss
  const unprotected = guardians?.answer.lost ?? []
  const others =
    guardians?.answer.networks.flatMap(({ network, state }) => (state === 'other' ? [network] : [])) ?? []
  const partly = unprotected.length < known.length
  const where = nameNetworks(unprotected, networks)
  return (
    <>
      {leaving.map(({ address, label, chainIds }) => (
        <Notice
          key={address}
          tone="warning"
          title={t('{owner} is only partly removed.', { owner: label ?? t('An owner') })}
        >
          {rich('It can still act for your account on {networks}. {link}', {
            networks: nameNetworks(chainIds, networks),
            link: <OwnersLink>{t('Finish removing it')}</OwnersLink>,
          })}
        </Notice>
      ))}
      {others.length > 0 && (
        <Notice
          tone="warning"
          title={t('Other guardians count on {networks}.', { networks: nameNetworks(others, networks) })}
        >
          <OwnersLink>{t('See who they are')}</OwnersLink>
        </Notice>
      )}
      {guardians && unprotected.length === 0 && (
        <Suspense>
          <BackupAdvice owners={staying}>
            <OwnersLink>{t('Add another passkey')}</OwnersLink>
          </BackupAdvice>
        </Suspense>
      )}
      {unprotected.length > 0 && (
        <Notice
          tone="warning"
          title={
            partly
              ? t('On {where}, your passkey is the only key to this account.', { where })
              : t('Your passkey is the only key to this account.')
          }
        >
          {partly
            ? t('If you lose it, you lose access to your funds there.')
            : t('If you lose it, you lose access to your funds.')}{' '}
          <OwnersLink>{t('Add a second owner')}</OwnersLink>
        </Notice>
      )}
    </>
  )
}

function OwnersLink({ children }: { children: string }) {
  return (
    <Link
      to="/protection"
      className="inline-flex items-center gap-1 font-medium underline underline-offset-4"
    >
      {children}
      <ArrowRight className="size-3.5" aria-hidden="true" />
    </Link>
  )
}
