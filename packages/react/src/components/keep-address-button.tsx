import type { ReactNode } from 'react'
import type { SentCalls } from '../actions/deliver.ts'
import type { KeepAddressRequest } from '../actions/keep-address.ts'
import { useKeepAddress } from '../use-keep-address.ts'
import { ErrorMessage } from './error-message.tsx'

export interface KeepAddressButtonProps extends KeepAddressRequest {
  readonly className?: string
  readonly children: ReactNode
  /** Called once the address runs the contract, and its calls are included. */
  readonly onDone?: (sent: SentCalls) => void
  /** Other texts, for another language. */
  readonly texts?: Partial<typeof usualTexts>
}

const usualTexts = {
  signing: 'Confirm in your wallet…',
  done: 'Your address is ready.',
  elsewhere: 'Your address runs the contract of another wallet. Switch it?',
  replace: 'Switch',
}

/** Lets an EOA in a wallet of the app keep its address, and shows the outcome. Switching from another contract takes a second press. */
export function KeepAddressButton({
  className = '',
  children,
  onDone,
  texts,
  ...request
}: KeepAddressButtonProps) {
  const { busy, error, result, keepAddress } = useKeepAddress()
  const say = { ...usualTexts, ...texts }
  const press = (replaceDelegate?: boolean) =>
    keepAddress(replaceDelegate ? { ...request, replaceDelegate } : request).then(
      (sent) => {
        if (sent) onDone?.(sent)
      },
      () => undefined, // shown below
    )
  const isElsewhere = error?.code === 'DELEGATED_ELSEWHERE'
  return (
    <div className={`lanyard lanyard-stack ${className}`}>
      <button type="button" disabled={busy} className="lanyard-button" onClick={() => press()}>
        {busy ? say.signing : children}
      </button>
      <span role="status">{result && !busy && say.done}</span>
      {isElsewhere && (
        <p>
          {say.elsewhere}{' '}
          <button type="button" disabled={busy} className="lanyard-button" onClick={() => press(true)}>
            {say.replace}
          </button>
        </p>
      )}
      <ErrorMessage error={isElsewhere ? undefined : error} />
    </div>
  )
}
