import { Button, Notice } from '@lanyard/ui'
import { rich, t } from '../i18n/t.ts'
import { describeError } from './describe-error.ts'

interface ErrorNoticeProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
  /** What did not happen, if the person closed the passkey prompt. */
  readonly undone?: string
}

/** Shows any error: what happened, what to do, and a retry button if retrying may help. */
export function ErrorNotice({ error, onRetry, undone = t('Nothing was signed.') }: ErrorNoticeProps) {
  const { title, advice, requestId, quiet } = describeError(error)
  return (
    <Notice
      tone={quiet ? 'info' : 'error'}
      title={title}
      action={
        onRetry && (
          <Button variant="secondary" size="small" onClick={onRetry}>
            {t('Try again')}
          </Button>
        )
      }
    >
      <p className="wrap-anywhere">
        {quiet && `${undone} `}
        {advice}
      </p>
      {requestId && (
        <p className="mt-1 text-muted">
          {rich('Request {code}', { code: <code className="break-all font-mono text-xs">{requestId}</code> })}
        </p>
      )}
    </Notice>
  )
}
