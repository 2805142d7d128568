import { Card, focusFirstInvalid, SubmitButton } from '@lanyard/ui'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { t } from '../i18n/t.ts'
import { type Recipient, readRecipient } from './recipient.ts'
import { useRecipientLookup } from './use-recipient-lookup.ts'

/** The fields that every payment draft has. */
interface PaymentDraft {
  readonly recipient: string
  readonly chosen: Recipient | undefined
}

interface PaymentFormProps<Draft extends PaymentDraft, Errors extends object> {
  readonly draft: Draft
  readonly onChange: (change: Partial<Draft>) => void
  /** Continues with a draft whose recipient is known, or returns its errors field by field. */
  readonly onSubmit: (draft: Draft) => Errors | undefined
  readonly onCancel: () => void
  readonly busy: boolean
  readonly error: Error | null
  readonly children: (fields: {
    readonly errors: Partial<Errors>
    readonly change: (change: Partial<Draft>) => void
  }) => ReactNode
}

/**
 * A form with a recipient. It looks up a username before it reads the draft, and focuses the first invalid
 * field.
 */
export function PaymentForm<Draft extends PaymentDraft, Errors extends object>({
  draft,
  onChange,
  onSubmit,
  onCancel,
  busy,
  error,
  children,
}: PaymentFormProps<Draft, Errors>) {
  const [errors, setErrors] = useState<Partial<Errors>>({})
  const lookup = useRecipientLookup()
  const problem = lookup.error ?? error
  const change = (next: Partial<Draft>) => {
    setErrors({})
    lookup.reset()
    onChange(next)
  }
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (form.current && Object.keys(errors).length > 0) focusFirstInvalid(form.current)
  }, [errors])
  const review = (complete: Draft) => {
    const wrong = onSubmit(complete)
    if (wrong) setErrors(wrong)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy || lookup.isPending) return
    const typed = readRecipient(draft.recipient)
    if (draft.chosen || typed.kind !== 'name') return review(draft)
    lookup.mutate(typed.name, {
      onSuccess: (chosen) => {
        const complete = chosen ? { ...draft, recipient: chosen.username ?? '', chosen } : draft
        onChange(complete)
        review(complete)
      },
    })
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Card className="grid gap-5 p-5 sm:p-6">
        {children({ errors, change })}
        {problem && <ErrorNotice error={problem} />}
        <SubmitButton busy={busy || lookup.isPending} onCancel={lookup.isPending ? lookup.cancel : onCancel}>
          {t('Review')}
        </SubmitButton>
      </Card>
    </form>
  )
}
