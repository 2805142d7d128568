import { describeError } from '../errors/describe-error.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** Shows any error: what happened, what to do, and a retry button if retrying may help. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const { title, advice, requestId, quiet } = describeError(error)
  return (
    <Notice
      tone={quiet ? 'info' : 'error'}
      title={title}
      action={
        onRetry && (
          <Button look="secondary" size="small" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      <p className="wrap-anywhere">{advice}</p>
      {requestId && (
        <p className="mt-1 text-muted">
          Request <code className="break-all font-mono text-xs">{requestId}</code>
        </p>
      )}
    </Notice>
  )
}
