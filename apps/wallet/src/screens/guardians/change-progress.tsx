import { decodeOwnerChange } from '@lanyard/accounts'
import { tryDecode } from '@lanyard/calls'
import { Card, NetworkMark, Spinner, Tag } from '@lanyard/ui'
import type { Hex } from 'viem'
import type { SignedChange } from '../../guardians/use-ownership.ts'
import { t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { waitReasons } from '../../recovery/use-recovery.ts'

interface ChangeProgressProps {
  readonly change: SignedChange
  readonly networks: readonly Network[]
}

/** How far each network is with a change that was signed once for all. Hidden once it is final everywhere. */
export function ChangeProgress({ change, networks }: ChangeProgressProps) {
  if (change.networks.every(({ state }) => state === 'final')) return null
  return (
    <Card aria-labelledby="change" className="grid gap-3 p-5">
      <h2 id="change" className="font-semibold">
        {titleOf(change)}
      </h2>
      <p className="text-muted text-sm">
        {t('Signed once. The service brings it to every network, and continues until each has it.')}
      </p>
      <ul className="divide-y divide-line border-line border-y" aria-label={t('Networks')}>
        {change.networks.map(({ network: chainId, state, reason }) => {
          const name =
            networks.find((network) => network.chainId === chainId)?.name ??
            t('Network {chainId}', { chainId })
          return (
            <li key={chainId} className="flex min-h-11 flex-wrap items-center gap-3 py-2.5">
              <NetworkMark chainId={chainId} name={name} />
              <span className="flex-1 font-medium">{name}</span>
              {state === 'pending' && !reason && <Spinner />}
              <Tag tone={state === 'pending' ? 'waiting' : 'good'}>
                {state === 'pending' && reason ? waitReasons[reason] : states[state]}
              </Tag>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

const states = { pending: t('On its way'), applied: t('Done'), final: t('Permanent') } as const

function titleOf({ kind, data }: SignedChange): string {
  const change = tryDecode(() => decodeOwnerChange({ kind: kind as Hex, data: data as Hex }))
  switch (change?.kind) {
    case 'setGuardians':
      return change.guardians.members.length > 0
        ? t('Your new guardians')
        : t('Your guardians are being removed')
    case 'cancel':
      return t('The recovery is being cancelled')
    default:
      return t('Your change is signed')
  }
}
