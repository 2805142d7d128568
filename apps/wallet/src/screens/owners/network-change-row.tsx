import { Check } from 'lucide-react'
import type { Network } from '../../networks/use-networks.ts'
import type { NetworkChange } from '../../owners/owner-change.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Tag } from '../../ui/tag.tsx'

interface NetworkChangeRowProps {
  readonly network: Network
  readonly status: NetworkChange['status']
  readonly busy: boolean
  readonly error: Error | null
  readonly onSign: () => void
  readonly onCancel: () => void
}

/** One network's step of a change of owners. */
export function NetworkChangeRow({ network, status, busy, error, onSign, onCancel }: NetworkChangeRowProps) {
  return (
    <li className="grid gap-2.5 py-3.5">
      <div className="flex min-h-10 items-center justify-between gap-3">
        <span className="font-medium">{network.name}</span>
        {status === 'done' && (
          <span className="flex items-center gap-1.5 text-accent text-sm">
            <Check className="size-4" aria-hidden="true" />
            done
          </span>
        )}
        {status === 'down' && <Tag tone="waiting">not answering</Tag>}
        {status === 'pending' && (
          <div className="flex gap-2.5">
            <Button look="secondary" busy={busy} aria-label={`Review on ${network.name}`} onClick={onSign}>
              Review
            </Button>
            {busy && (
              <Button look="secondary" aria-label={`Cancel on ${network.name}`} onClick={onCancel}>
                Cancel
              </Button>
            )}
          </div>
        )}
      </div>
      {error && <ErrorNotice error={error} />}
    </li>
  )
}
