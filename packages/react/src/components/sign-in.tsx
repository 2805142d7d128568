import { type FormEvent, useEffect, useId, useState } from 'react'
import type { Account } from '../account-store.ts'
import type { Texts } from '../texts.ts'
import { useLanyard } from '../use-lanyard.ts'
import { useServiceQuery } from '../use-service-query.ts'
import { useTexts } from '../use-texts.ts'
import { ErrorMessage } from './error-message.tsx'
import { Icon } from './icon.tsx'

export interface SignInProps {
  readonly className?: string
  /** Called with the account once the person is signed in. */
  readonly onSignedIn?: (account: Account) => void
  /** Other words. */
  readonly texts?: Texts
}

/** Signs in with a passkey, or creates an account with one. Renders nothing for a signed-in person. */
export function SignIn({ className = '', onSignedIn, texts }: SignInProps) {
  const { status, busy, error, createAccount, signIn } = useLanyard()
  const [username, setUsername] = useState('')
  const [isCancelled, setCancelled] = useState(false)
  const name = useNameCheck(username.trim())
  const id = useId()
  const say = useTexts(texts)
  if (status === 'signed-in') return null
  const isBusy = busy !== undefined
  const start = (act: () => Promise<Account | undefined>) => {
    setCancelled(false)
    act().then(
      (account) => (account ? onSignedIn?.(account) : setCancelled(true)),
      () => undefined, // shown below
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) start(() => createAccount(username.trim()))
  }
  return (
    <div className={`lanyard lanyard-stack ${className}`}>
      <button
        type="button"
        disabled={isBusy}
        className="lanyard-button"
        onClick={() => start(() => signIn())}
      >
        <Icon name="fingerprint" />
        {busy === 'signIn' ? say.waiting : say.signIn}
      </button>
      <p className="lanyard-divider">{say.newHere}</p>
      <form onSubmit={submit} className="lanyard-stack">
        <label htmlFor={id} className="lanyard-label">
          {say.username}
        </label>
        <div className="lanyard-row">
          <input
            id={id}
            required
            maxLength={64}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={username}
            className="lanyard-input"
            aria-describedby={`${id}-state`}
            aria-invalid={name === 'taken' || name === 'unavailable'}
            onChange={(event) => setUsername(event.target.value)}
          />
          <button type="submit" disabled={isBusy} className="lanyard-button lanyard-quiet">
            {busy === 'createAccount' ? say.waiting : say.create}
          </button>
        </div>
        <p id={`${id}-state`} role="status" className="lanyard-hint" data-state={name}>
          {isCancelled && !isBusy ? say.cancelled : name && say[name]}
        </p>
      </form>
      <ErrorMessage error={error} texts={texts} />
    </div>
  )
}

/** Milliseconds without a key press after which a name is checked. */
const typingPause = 300

/** Whether a name is free, as far as it is known. Creating the account decides; this only says it earlier. */
function useNameCheck(typed: string): 'checking' | 'free' | 'taken' | 'unavailable' | undefined {
  const [settled, settle] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => settle(typed), typingPause)
    return () => clearTimeout(timer)
  }, [typed])
  const { data, error } = useServiceQuery({
    key: ['username', settled],
    read: (client, options) => client.user.checkUsername({ username: settled }, options),
    enabled: settled !== '',
  })
  if (typed === '') return undefined
  if (typed !== settled) return 'checking'
  if (error) return error.code === 'INVALID_INPUT' ? 'unavailable' : undefined
  if (!data) return 'checking'
  if (data.value) return 'taken'
  // The endpoint has no field for it; its message begins so for a name that is free and not available.
  return data.message.startsWith('This username does not exist, and is unavailable.') ? 'unavailable' : 'free'
}
