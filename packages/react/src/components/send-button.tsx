import type { ReactNode } from 'react'
import type { SentCalls } from '../actions/deliver.ts'
import type { Call, SendOptions } from '../actions/send-calls.ts'
import type { Texts } from '../texts.ts'
import { useSendCalls } from '../use-send-calls.ts'
import { useTexts } from '../use-texts.ts'
import { ErrorMessage } from './error-message.tsx'

export interface SendButtonProps extends Omit<SendOptions, 'onStep' | 'key'> {
  /** The app's identifier for the intent: `key` of `SendOptions`, a name that React keeps for itself. */
  readonly intent?: string
  readonly className?: string
  readonly calls: readonly Call[]
  readonly children: ReactNode
  readonly disabled?: boolean
  /** Called once the calls are included. */
  readonly onSent?: (sent: SentCalls) => void
  /** Other words. */
  readonly texts?: Texts
}

/** Sends calls as one operation, and shows each step and the outcome. */
export function SendButton({
  className = '',
  calls,
  children,
  disabled,
  onSent,
  texts,
  intent,
  ...options
}: SendButtonProps) {
  const { status, isBusy, error, send } = useSendCalls()
  const say = useTexts(texts)
  const steps: Readonly<Record<string, string>> = {
    preparing: say.preparing,
    signing: say.signing,
    sending: say.sending,
  }
  return (
    <div className={`lanyard lanyard-stack ${className}`}>
      <button
        type="button"
        disabled={disabled || isBusy}
        className="lanyard-button"
        onClick={() =>
          send(calls, { ...options, ...(intent !== undefined && { key: intent }) }).then(
            (sent) => {
              if (sent) onSent?.(sent)
            },
            () => undefined, // shown below
          )
        }
      >
        {isBusy ? steps[status] : children}
      </button>
      <span role="status">
        {status === 'included' ? say.done : status === 'cancelled' ? say.cancelled : ''}
      </span>
      <ErrorMessage error={error} texts={texts} />
    </div>
  )
}
