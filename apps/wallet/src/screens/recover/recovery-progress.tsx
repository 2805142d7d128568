import { NetworkMark, Tag, Time } from '@lanyard/ui'
import { rich, t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import {
  endingOf,
  type KnownRecovery,
  type RecoveryStatus,
  waitReasons,
} from '../../recovery/use-recovery.ts'

interface RecoveryProgressProps {
  readonly recovery: KnownRecovery
  readonly networks: readonly Network[]
}

/** Where a recovery stands on each network. */
export function RecoveryProgress({ recovery, networks }: RecoveryProgressProps) {
  const done = recovery.networks.filter(({ state }) => state === 'executed').length
  return (
    <>
      {done > 0 && (
        <p role="status" className="font-medium text-sm">
          {t('Recovered on {done} of {count, plural, one {# network} other {# networks}}.', {
            done,
            count: recovery.networks.length,
          })}
        </p>
      )}
      <ul className="divide-y divide-line border-line border-y" aria-label={t('Networks')}>
        {recovery.networks.map((step) => {
          const { network: chainId, state, reason, readyAt, threshold, signed } = step
          const name =
            networks.find((network) => network.chainId === chainId)?.name ??
            t('Network {chainId}', { chainId })
          const { label, tone } = states[state]
          return (
            <li key={chainId} className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
              <NetworkMark chainId={chainId} name={name} />
              <span className="grid min-w-0 flex-1">
                <span className="font-medium">{name}</span>
                <span className="text-muted text-sm">
                  {state === 'running' && readyAt !== undefined
                    ? rich('Finishes on {time}', {
                        time: <Time at={new Date(readyAt * 1_000).toISOString()} />,
                      })
                    : state === 'collecting' && threshold !== undefined
                      ? t('{signed} of {threshold} signed', { signed: signed.length, threshold })
                      : reason && waitReasons[reason]}
                </span>
              </span>
              <Tag tone={tone}>{label}</Tag>
            </li>
          )
        })}
      </ul>
    </>
  )
}

type Step = KnownRecovery['networks'][number]

const states: Readonly<Record<Step['state'], { label: string; tone: 'neutral' | 'waiting' | 'good' }>> = {
  collecting: { label: t('Waiting for guardians'), tone: 'waiting' },
  pending: { label: t('Starting'), tone: 'waiting' },
  running: { label: t('Running'), tone: 'waiting' },
  ready: { label: t('Finishing'), tone: 'waiting' },
  executed: { label: t('Done'), tone: 'good' },
  cancelled: { label: t('Cancelled or replaced'), tone: 'neutral' },
  unknown: { label: t('Not responding'), tone: 'neutral' },
}

/** Why a recovery has ended. */
export const endingText = (status: RecoveryStatus, recovery: KnownRecovery): string =>
  texts[endingOf(status, recovery)]

const texts: Readonly<Record<ReturnType<typeof endingOf>, string>> = {
  replaced: t('Another recovery took its place.'),
  guardians: t('Guardians took it back.'),
  owner: t('An owner cancelled it, or it was not finished in time.'),
}
