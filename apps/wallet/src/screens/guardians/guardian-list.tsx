import type { GuardianSet } from '@lanyard/accounts'
import { Button, Card, escapeText, FullAddress, Identicon, Notice, Time } from '@lanyard/ui'
import { isAddressEqual } from 'viem'
import { type Guardian, problemTexts, useGuardians, worstProblem } from '../../guardians/guardian.ts'
import { delayText } from '../../guardians/guardian-draft.ts'
import { rich, t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import type { Network } from '../../networks/use-networks.ts'
import { useRecipientNames } from '../../recipients/known-recipients.ts'
import { useSession } from '../../sign-in/session-context.tsx'

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
  const { account } = useSession()
  const { data: overview } = useGuardians(account)
  // Guardians who are newer than the person remembers were perhaps set by a thief.
  const dates = (overview?.networks ?? []).flatMap(({ network, current }) =>
    chainIds.includes(network) ? (current?.since ?? []) : [],
  )
  const since = dates.length > 0 ? Math.max(...dates) : undefined
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
            {guardians.threshold === 1
              ? t(
                  '{count, plural, one {This guardian alone} other {Each of these # guardians alone}} can recover your account, after {delay}.',
                  { count: guardians.members.length, delay: delayText(guardians.delay) },
                )
              : t('{threshold} of {count} together can recover your account, after {delay}.', {
                  threshold: guardians.threshold,
                  count: guardians.members.length,
                  delay: delayText(guardians.delay),
                })}
          </p>
          <ul className="divide-y divide-line" aria-label={t('Your guardians')}>
            {guardians.members.map((address) => {
              const known = overview?.guardians.find(({ guardian }) => isAddressEqual(guardian, address))
              const name = known?.username ? escapeText(known.username, 64) : names.get(address.toLowerCase())
              return (
                <li key={address} className="flex items-center gap-3 py-2.5">
                  <Identicon address={address} />
                  <span className="grid min-w-0">
                    <span className="truncate font-medium">{name ?? t('No name')}</span>
                    <FullAddress address={address} />
                    {known && <GuardianState guardian={known} networks={networks} />}
                  </span>
                </li>
              )
            })}
          </ul>
        </>
      )}
      <p className="text-muted text-sm">
        {t('In force on {networks}.', { networks: nameNetworks(chainIds, networks) })}
        {since !== undefined && (
          <> {rich('Since {time}.', { time: <Time at={new Date(since * 1_000).toISOString()} /> })}</>
        )}
      </p>
      <Button variant="secondary" className="justify-self-start" onClick={onChange}>
        {t('Change guardians')}
      </Button>
    </Card>
  )
}

/** Whether a guardian can sign today, and when they last showed it. */
function GuardianState({ guardian, networks }: { guardian: Guardian; networks: readonly Network[] }) {
  const problem = worstProblem(guardian)
  const where = guardian.networks.flatMap((one) => (one.problem ? [one.network] : []))
  return (
    <span className="grid gap-0.5 text-sm">
      {problem ? (
        <span className="text-cord-ink">
          {problem === 'NOT_THERE'
            ? t('Cannot sign on {networks}: the contract does not exist there.', {
                networks: nameNetworks(where, networks),
              })
            : problem === 'UNPROVEN'
              ? t('Nothing shows that this guardian can sign. Let them practise.')
              : problemTexts[problem]}
        </span>
      ) : (
        <span className="text-accent">
          {guardian.networks.every(({ status }) => status === 'up')
            ? t('Can sign on every network')
            : t('Can sign on every network that answers')}
        </span>
      )}
      <span className="text-muted">
        {guardian.provenAt === undefined
          ? t('Has not practised')
          : rich('Signed a practice on {time}', {
              time: <Time at={new Date(guardian.provenAt * 1_000).toISOString()} />,
            })}
      </span>
    </span>
  )
}
