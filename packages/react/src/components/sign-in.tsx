import { type FormEvent, useId, useState } from 'react'
import type { Account } from '../account-store.ts'
import { useLanyard } from '../use-lanyard.ts'
import { ErrorMessage } from './error-message.tsx'
import { styles } from './styles.ts'

export interface SignInProps {
  readonly className?: string
  /** Called with the account once the person is signed in. */
  readonly onSignedIn?: (account: Account) => void
  /** Other texts, for another language. */
  readonly texts?: Partial<typeof usualTexts>
}

const usualTexts = {
  username: 'Username',
  create: 'Create an account',
  signIn: 'Sign in with a passkey',
  waiting: 'Waiting for your passkey…',
}

/** Creates an account with a passkey, or signs in with one. Renders nothing for a signed-in person. */
export function SignIn({ className, onSignedIn, texts }: SignInProps) {
  const { status, busy, error, createAccount, signIn } = useLanyard()
  const [username, setUsername] = useState('')
  const id = useId()
  const say = { ...usualTexts, ...texts }
  if (status === 'signed-in') return null
  const report = (account: Account | undefined) => {
    if (account) onSignedIn?.(account)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The component shows the error.
    createAccount(username.trim()).then(report, () => undefined)
  }
  return (
    <div className={className} style={styles.stack}>
      <button
        type="button"
        disabled={busy !== undefined}
        style={styles.button}
        onClick={() => signIn().then(report, () => undefined)}
      >
        {busy === 'signIn' ? say.waiting : say.signIn}
      </button>
      <form onSubmit={submit} style={styles.stack}>
        <label htmlFor={id}>{say.username}</label>
        <input
          id={id}
          required
          maxLength={64}
          autoComplete="username"
          autoCapitalize="none"
          value={username}
          style={styles.input}
          onChange={(event) => setUsername(event.target.value)}
        />
        <button type="submit" disabled={busy !== undefined} style={{ ...styles.button, ...styles.quiet }}>
          {busy === 'createAccount' ? say.waiting : say.create}
        </button>
      </form>
      <ErrorMessage error={error} />
    </div>
  )
}
