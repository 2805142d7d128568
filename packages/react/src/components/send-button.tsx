import type { ReactNode } from 'react'
import type { SentCalls } from '../actions/deliver.ts'
import type { Call, SendOptions } from '../actions/send-calls.ts'
import { useSendCalls } from '../use-send-calls.ts'
import { ErrorMessage } from './error-message.tsx'
import { styles } from './styles.ts'

export interface SendButtonProps extends Omit<SendOptions, 'onStep' | 'key'> {
  /** The app's identifier for the intent: `key` of `SendOptions`, a name that React keeps for itself. */
  readonly intent?: string
  readonly className?: string
  readonly calls: readonly Call[]
  readonly children: ReactNode
  readonly disabled?: boolean
  /** Called once the calls are included. */
  readonly onSent?: (sent: SentCalls) => void
  /** Other texts, for another language. */
  readonly texts?: Partial<typeof usualTexts>
}

const usualTexts = {
  preparing: 'Preparing…',
  signing: 'Waiting for your passkey…',
  sending: 'Sending…',
  included: 'Done',
}

/** Sends calls as one operation, and shows each step and the outcome. */
export function SendButton({
  className,
  calls,
  children,
  disabled,
  onSent,
  texts,
  intent,
  ...options
}: SendButtonProps) {
  const { status, isBusy, error, send } = useSendCalls()
  const say: Readonly<Record<string, string>> = { ...usualTexts, ...texts }
  return (
    <div className={className} style={styles.stack}>
      <button
        type="button"
        disabled={disabled || isBusy}
        style={styles.button}
        onClick={() =>
          send(calls, { ...options, ...(intent !== undefined && { key: intent }) }).then(
            (sent) => {
              if (sent) onSent?.(sent)
            },
            () => undefined, // shown below
          )
        }
      >
        {isBusy ? say[status] : children}
      </button>
      <span role="status">{status === 'included' && say.included}</span>
      <ErrorMessage error={error} />
    </div>
  )
}
