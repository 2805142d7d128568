import { Button, Notice } from '@lanyard/ui'
import { readError } from '../api/service-error.ts'

/** Shows any error: what happened and what to do, with the id under which the service logged it. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
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
