import { Button } from '@lanyard/ui'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { readServiceError } from '../../errors/service-error.ts'
import type { Network } from '../../networks/use-networks.ts'
import { FundFee } from '../owners/fund-fee.tsx'

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
export function LeftoverRow({ network, title, effect, action, children }: LeftoverRowProps) {
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
