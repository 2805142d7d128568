import type { Call, GuardianSet } from '@lanyard/accounts'
import { endSessionsCall } from '@lanyard/session-keys'
import { Button, Card, FullAddress } from '@lanyard/ui'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { keccak256 } from 'viem'
import { useCancellableMutation } from '../../api/use-cancellable-mutation.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { readServiceError } from '../../errors/service-error.ts'
import { useGuardians } from '../../guardians/guardian.ts'
import {
  guardiansOf,
  isApplying,
  type OwnershipStatus,
  otherGuardians,
} from '../../guardians/use-ownership.ts'
import { t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { OperationReview } from '../../operation/operation-review.tsx'
import { findDepartures } from '../../owners/departures.ts'
import { type Leftover, useLeftovers } from '../../owners/leftovers.ts'
import { prepareOwnerChange } from '../../owners/owner-change.ts'
import { useSessions } from '../../session-keys/use-sessions.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { FundFee } from '../owners/run-row.tsx'
import { OtherGuardiansRow } from './other-guardians-row.tsx'

interface LeftoversCardProps {
  /** Undefined until it is read. */
  readonly status: OwnershipStatus | undefined
  /** The guardians of most networks. */
  readonly inForce: { readonly hash: string | undefined; readonly guardians: GuardianSet | undefined }
  readonly networks: readonly Network[]
}

/** What outlives an owner who left, with a button for each that removes it. Hidden if there is nothing. */
export function LeftoversCard({ status, inForce, networks }: LeftoversCardProps) {
  const session = useSession()
  const { account } = session
  const leftovers = useLeftovers()
  const { data: overview } = useGuardians(account)
  const { data: granted } = useSessions()
  const operation = useCancellableMutation({
    mutationFn: (signal, { network, call }: { network: Network; call: Call }) =>
      prepareOwnerChange(session, network, [call], signal),
  })
  const latest = status?.changes.at(-1)
  // Networks differ while new guardians are on their way.
  const isUnderWay = latest !== undefined && guardiansOf(latest) !== undefined && isApplying(latest)
  // So do those to come, once their end is signed.
  const isEnding = isUnderWay && keccak256(latest.data) === inForce.hash
  const others =
    status?.module && overview
      ? otherGuardians(overview, inForce.hash).filter(({ from }) =>
          from === undefined ? !isUnderWay : !isEnding,
        )
      : []
  const departed = findDepartures(account, granted?.sessions ?? []).flatMap((chainId) => {
    const network = networks.find((one) => one.chainId === chainId)
    return network?.sessionKeys ? [network] : []
  })
  const [chosen, setChosen] = useState<string>()
  const actionFor = (id: string, network: Network, call: Call) => ({
    busy: operation.isPending && chosen === id,
    error: chosen === id ? operation.error : null,
    onPress: () => {
      setChosen(id)
      operation.mutate({ network, call })
    },
  })
  if (operation.data)
    return (
      <OperationReview
        prepared={operation.data}
        onBack={operation.reset}
        next={<Button onClick={operation.reset}>{t('Back to the list')}</Button>}
      />
    )
  if (leftovers.length + others.length + departed.length === 0) return null
  return (
    <Card aria-labelledby="leftovers" className="grid gap-3 p-5">
      <h2 id="leftovers" className="font-semibold text-cord-ink">
        {t('Also in your account')}
      </h2>
      <p className="text-sm">{t('New owners do not end these. Remove what you did not add yourself.')}</p>
      <ul className="divide-y divide-line border-line border-y">
        {status &&
          others.map((other) => (
            <OtherGuardiansRow
              key={`${other.hash} ${other.from}`}
              other={other}
              inForce={inForce.guardians}
              status={status}
              networks={networks}
            />
          ))}
        {departed.map((network) => (
          <LeftoverRow
            key={network.chainId}
            network={network}
            title={t('Session keys on {network}', { network: network.name })}
            effect={
              <>
                {t(
                  'An owner who is not there any more may have granted some of them, and has not ended them.',
                )}{' '}
                <Link to="/sessions" className="touch-area underline underline-offset-2">
                  {t('See your session keys')}
                </Link>
              </>
            }
            action={{
              label: t('End all session keys'),
              name: t('End all session keys on {network}', { network: network.name }),
              ...actionFor(`sessions ${network.chainId}`, network, endSessionsCall),
            }}
          />
        ))}
        {leftovers.map(({ kind, address, network, call }) => {
          const id = `${kind} ${address} ${network.chainId}`
          return (
            <LeftoverRow
              key={id}
              network={network}
              title={titleOf(kind, network)}
              effect={effects[kind]}
              action={{
                label: t('Remove'),
                name: t('Remove {address} on {network}', { address, network: network.name }),
                ...actionFor(id, network, call),
              }}
            >
              <FullAddress address={address} />
            </LeftoverRow>
          )
        })}
      </ul>
      <p className="text-muted text-sm">
        {t(
          'Which contracts may still spend your tokens cannot be listed here. Check the approvals of your account in an explorer.',
        )}
      </p>
    </Card>
  )
}

function titleOf(kind: Leftover['kind'], { name }: Network): string {
  switch (kind) {
    case 'module':
      return t('A module on {network}', { network: name })
    case 'guard':
      return t('A guard on {network}', { network: name })
    case 'handler':
      return t('Another fallback handler on {network}', { network: name })
  }
}

const effects: Readonly<Record<Leftover['kind'], string>> = {
  module: t('This wallet does not know it. It can do anything with your account, without a signature.'),
  guard: t('This wallet does not know it. It can refuse what your account does.'),
  handler: t('This wallet does not know it. It decides which signatures of your account count.'),
}

interface LeftoverRowProps {
  readonly network: Network
  readonly title: string
  /** What it can do. */
  readonly effect: ReactNode
  readonly action: {
    readonly label: string
    /** The label for screen readers, which says what and where. */
    readonly name: string
    readonly busy: boolean
    readonly error: Error | null
    readonly onPress: () => void
  }
  readonly children?: ReactNode
}

/** Something that outlives an owner, and the button that ends it by one operation. */
function LeftoverRow({ network, title, effect, action, children }: LeftoverRowProps) {
  const { label, name, busy, error, onPress } = action
  return (
    <li className="grid gap-2 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="grid min-w-0 flex-1 basis-52">
          <span className="font-medium">{title}</span>
          <span className="text-muted text-sm">{effect}</span>
        </span>
        <Button variant="danger" size="small" aria-label={name} busy={busy} onClick={onPress}>
          {label}
        </Button>
      </div>
      {children}
      {error &&
        (readServiceError(error)?.code === 'INSUFFICIENT_FUNDS' ? (
          <FundFee network={network} error={error} onFunded={onPress} />
        ) : (
          <ErrorNotice error={error} />
        ))}
    </li>
  )
}
