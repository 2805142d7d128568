import { Notice } from '@lanyard/ui'
import { t } from '../../i18n/t.ts'

interface ThresholdAdviceProps {
  readonly members: number
  readonly threshold: number
  /** Whether the person confirmed that one guardian is enough. */
  readonly isUnderstood: boolean
  /** True after an attempt to sign without that. */
  readonly isUnread: boolean
  readonly onUnderstand: (isUnderstood: boolean) => void
}

/** What the chosen numbers mean if a guardian is bought or lost. With 2 of 3, neither is enough. */
export function ThresholdAdvice({
  members,
  threshold,
  isUnderstood,
  isUnread,
  onUnderstand,
}: ThresholdAdviceProps) {
  if (threshold === 1)
    return (
      <div className="grid gap-2.5">
        <Notice
          tone="warning"
          title={
            members === 1
              ? t('This person alone could take your account.')
              : t('Each of these people alone could take your account.')
          }
        >
          {t(
            'You have only the delay to notice it and cancel. Better: three guardians, of whom two must agree.',
          )}
        </Notice>
        <label className="flex min-h-11 items-center gap-3 text-sm">
          <input
            type="checkbox"
            className="size-5 shrink-0"
            checked={isUnderstood}
            aria-describedby={isUnread ? 'threshold-unread' : undefined}
            onChange={(event) => onUnderstand(event.target.checked)}
          />
          {t('I want one guardian to be enough.')}
        </label>
        {isUnread && (
          <p id="threshold-unread" role="alert" className="text-danger text-sm">
            {t('Confirm this, or choose more guardians.')}
          </p>
        )}
      </div>
    )
  if (threshold === members)
    return (
      <Notice tone="warning" title={t('If one of them cannot be reached, your account cannot be recovered.')}>
        {t('Better: one guardian more than must agree.')}
      </Notice>
    )
  return null
}
