import { Card, CopyButton, Notice } from '@lanyard/ui'
import { type ReactNode, useState } from 'react'
import type { useAct } from '../api/use-act.ts'
import { Confirm } from './confirm.tsx'
import { Section } from './section.tsx'

interface SecretFormProps<T> {
  readonly title: string
  /** Makes what is shown once, after the confirmation. */
  readonly act: ReturnType<typeof useAct<unknown, T>>
  readonly secretOf: (made: T) => string
  /** What to do with the secret, and the label of its button. */
  readonly notice: string
  readonly copyLabel: string
  /** The columns of the form. */
  readonly className: string
  readonly confirmTitle: string
  readonly confirmAction: string
  readonly confirmText: ReactNode
  readonly children: ReactNode
}

/** A form that makes a secret. It stays on the screen until the screen is left, and is not shown again. */
export function SecretForm<T>(props: SecretFormProps<T>) {
  const { title, act, secretOf, notice, copyLabel, className, children } = props
  const [requested, setRequested] = useState(false)
  const close = () => setRequested(false)
  return (
    <Section title={title}>
      {act.data && (
        <Notice tone="warning" title={notice}>
          <div className="mt-1 flex flex-wrap items-center gap-3">
            <code className="wrap-anywhere font-mono text-sm">{secretOf(act.data)}</code>
            <CopyButton text={secretOf(act.data)} label={copyLabel} />
          </div>
        </Notice>
      )}
      <Card className="p-4">
        <form
          className={`grid items-start gap-3 ${className}`}
          onSubmit={(event) => {
            event.preventDefault()
            act.reset()
            setRequested(true)
          }}
        >
          {children}
        </form>
      </Card>
      <Confirm
        open={requested}
        title={props.confirmTitle}
        action={props.confirmAction}
        busy={act.isPending}
        error={act.error}
        onClose={close}
        onConfirm={() => act.mutate(undefined, { onSuccess: close })}
      >
        {props.confirmText}
      </Confirm>
    </Section>
  )
}
