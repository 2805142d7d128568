import { Time } from '@lanyard/ui'
import { ShieldCheck } from 'lucide-react'
import { t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import type { Network } from '../../networks/use-networks.ts'
import { changeOf, describeAct } from './describe-act.ts'
import { RowIcon } from './row-icon.tsx'
import type { ProtectionEntry } from './timeline.ts'

interface ProtectionRowProps {
  readonly entry: ProtectionEntry
  readonly networks: readonly Network[]
  /** Lower-case address → name. */
  readonly names: ReadonlyMap<string, string>
}

/** What owners or guardians signed once for all networks, or what came of it. */
export function ProtectionRow({ entry: { act, at }, networks, names }: ProtectionRowProps) {
  const isDone = act.networks.length > 0
  return (
    <li className="flex gap-3 p-4 sm:px-5">
      <RowIcon Icon={ShieldCheck} tone="neutral" />
      <div className="grid min-w-0 flex-1 gap-1.5">
        <p className="min-w-0 font-medium [overflow-wrap:anywhere]">{describeAct(act, names)}</p>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-sm">
          {isDone && <span>{nameNetworks(act.networks, networks)}</span>}
          <Time at={at} />
        </p>
        {act.endsRecovery && changeOf(act)?.kind !== 'cancel' && (
          <p className="text-muted text-sm">{t('It ended the recovery.')}</p>
        )}
        {act.waiting.length > 0 && (
          <p className="text-cord-ink text-sm">
            {t('Not on {networks}', { networks: nameNetworks(act.waiting, networks) })}
          </p>
        )}
      </div>
    </li>
  )
}
