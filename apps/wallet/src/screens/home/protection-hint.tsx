import { Notice } from '@lanyard/ui'
import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { useGuardians } from '../../guardians/guardian.ts'
import { rich, t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { answerLoss } from '../../owners/loss-answer.ts'
import { useUnfinishedRemovals } from '../../owners/unfinished-removals.ts'
import { useOwners, withoutLeaving } from '../../owners/use-owners.ts'
import { useSession } from '../../sign-in/session-context.tsx'

/** Suggests adding a second owner where losing the passkey would lose the account, as Protection says it, and finishing a removal. */
export function ProtectionHint() {
  const { data: networks } = useNetworks()
  const { data: ownership } = useOwners()
  const { account } = useSession()
  const { data: overview } = useGuardians(account)
  const removals = useUnfinishedRemovals()
  if (!networks || !ownership) return null
  // Without an answer on the guardians, nothing is claimed about them.
  const answer = overview && answerLoss(overview, withoutLeaving(ownership, removals))
  const unprotected = answer?.lost ?? []
  const others = answer?.networks.flatMap(({ network, state }) => (state === 'other' ? [network] : [])) ?? []
  const leaving = ownership.owners.filter(({ address }) => removals.has(address.toLowerCase()))
  const partly = unprotected.length < ownership.known.length
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
