import { type GuardianSet, noGuardians } from '@lanyard/accounts'
import { Button, locale, Time } from '@lanyard/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isAddressEqual } from 'viem'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { type GuardianOverview, guardianName, useGuardians } from '../../guardians/guardian.ts'
import { signOwnerChange } from '../../guardians/sign-owner-change.ts'
import type { OtherGuardians, OwnershipStatus } from '../../guardians/use-ownership.ts'
import { rich, t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import type { Network } from '../../networks/use-networks.ts'
import { useRecipientNames } from '../../recipients/known-recipients.ts'
import { useSession } from '../../sign-in/session-context.tsx'

interface OtherGuardiansRowProps {
  readonly other: OtherGuardians
  /** The guardians who stay. */
  readonly inForce: GuardianSet | undefined
  readonly status: OwnershipStatus
  readonly networks: readonly Network[]
}

/** Guardians on some networks or from a later time on, and the signature that ends them on all. */
export function OtherGuardiansRow({ other, inForce, status, networks }: OtherGuardiansRowProps) {
  const session = useSession()
  const queryClient = useQueryClient()
  const contacts = useRecipientNames()
  const { data: overview } = useGuardians(session.account)
  const [isReviewing, setReviewing] = useState(false)
  const signing = useMutation({
    mutationFn: () =>
      signOwnerChange(session, { kind: 'setGuardians', guardians: inForce ?? noGuardians }, status, networks),
    onSuccess: (next) => {
      queryClient.setQueryData(['ownership', session.account], next)
      for (const key of ['guardians', 'activity'])
        void queryClient.invalidateQueries({ queryKey: [key, session.account] })
      setReviewing(false)
    },
  })
  const where = nameNetworks(other.networks, networks)
  const names = namesOf(other.guardians, overview, contacts)
  return (
    <li className="grid gap-2 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="grid min-w-0 flex-1">
          <span className="font-medium">
            {other.from === undefined
              ? t('Other guardians on {networks}', { networks: where })
              : rich('Other guardians on {networks} from {time} on', {
                  networks: where,
                  time: <Time at={new Date(other.from * 1_000).toISOString()} />,
                })}
          </span>
          <span className="wrap-anywhere text-muted text-sm">
            {other.guardians && names
              ? t('{threshold} of {names} could give your account to another passkey.', {
                  threshold: other.guardians.threshold,
                  names,
                })
              : t('This service does not know who they are.')}
          </span>
        </span>
        {!isReviewing && (
          <Button
            variant="danger"
            size="small"
            aria-label={t('Remove the other guardians on {networks}', { networks: where })}
            onClick={() => setReviewing(true)}
          >
            {t('Remove')}
          </Button>
        )}
      </div>
      {isReviewing && (
        <div className="grid gap-2.5 text-sm">
          <p>
            {inForce
              ? t(
                  'You sign once, for all networks: {threshold} of {names} stay your guardians, and no others.',
                  {
                    threshold: inForce.threshold,
                    names: namesOf(inForce, overview, contacts) ?? '',
                  },
                )
              : t('You sign once, for all networks: then your account has no guardians.')}
          </p>
          {signing.error && <ErrorNotice error={signing.error} undone={t('Nothing has changed.')} />}
          <div className="flex flex-wrap gap-2.5">
            <Button size="small" busy={signing.isPending} onClick={() => signing.mutate()}>
              {signing.isPending ? t('Waiting for your passkey…') : t('Sign with passkey')}
            </Button>
            <Button
              size="small"
              variant="secondary"
              onClick={() => {
                signing.reset()
                setReviewing(false)
              }}
            >
              {t('Back')}
            </Button>
          </div>
        </div>
      )}
    </li>
  )
}

function namesOf(
  set: GuardianSet | undefined,
  overview: GuardianOverview | undefined,
  contacts: ReadonlyMap<string, string>,
): string | undefined {
  if (!set) return undefined
  const names = set.members.map((member) =>
    guardianName(
      overview?.guardians.find(({ guardian }) => isAddressEqual(guardian, member)) ?? { guardian: member },
      contacts,
    ),
  )
  return new Intl.ListFormat(locale).format(names)
}
