import { Button, CopyButton, Notice } from '@lanyard/ui'
import { Link } from 'react-router'
import { type RequestedApproval, requestedBy } from '../api/requested-approval.ts'
import { readError } from '../api/service-error.ts'
import { At } from './ago.tsx'

/** An act that became a request, with the secret that its requester sees only now. */
function RequestedNotice({ secret, expiresAt }: RequestedApproval) {
  return (
    <Notice tone={secret === null ? 'info' : 'warning'} title="This waits for a second person">
      <div className="mt-1 grid gap-2">
        <p>
          Another operator approves it under <Link to="/approvals">Approvals</Link> until{' '}
          <At at={expiresAt} />. It is not done yet.
        </p>
        {secret !== null && (
          <>
            <p>Copy this now: it is not shown again, and works once the request is approved.</p>
            <code className="wrap-anywhere font-mono text-sm">{secret}</code>
            <CopyButton text={secret} label="Copy it" />
          </>
        )}
      </div>
    </Notice>
  )
}

/** Shows any error: what happened and what to do, with the id under which the service logged it. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const requested = requestedBy(error)
  if (requested) return <RequestedNotice {...requested} />
  const { title, requestId } = readError(error)
  return (
    <Notice
      tone="error"
      title={title}
      action={
        onRetry && (
          <Button variant="secondary" size="small" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {requestId && (
        <p className="text-muted">
          Request <code className="break-all font-mono text-xs">{requestId}</code>
        </p>
      )}
    </Notice>
  )
}
