import { useRef } from 'react'
import { useLanyard } from '../use-lanyard.ts'
import { SignIn, type SignInProps } from './sign-in.tsx'
import { styles } from './styles.ts'

export interface ConnectButtonProps {
  readonly className?: string
  /** Other texts, for another language. */
  readonly texts?: Partial<typeof usualTexts>
  /** Texts of the dialog. */
  readonly signInTexts?: SignInProps['texts']
}

const usualTexts = { connect: 'Sign in', signOut: 'Sign out', close: 'Close' }

/** Opens a dialog to sign in. For a signed-in person, it shows the name and signs out. */
export function ConnectButton({ className, texts, signInTexts }: ConnectButtonProps) {
  const { account, signOut } = useLanyard()
  const dialog = useRef<HTMLDialogElement>(null)
  const say = { ...usualTexts, ...texts }
  if (account)
    return (
      <div className={className} style={styles.row}>
        <span title={account.address}>{account.username}</span>
        <button type="button" style={{ ...styles.button, ...styles.quiet }} onClick={signOut}>
          {say.signOut}
        </button>
      </div>
    )
  return (
    <div className={className}>
      <button type="button" style={styles.button} onClick={() => dialog.current?.showModal()}>
        {say.connect}
      </button>
      <dialog ref={dialog} aria-label={say.connect}>
        <div style={styles.stack}>
          <SignIn {...(signInTexts && { texts: signInTexts })} />
          <button
            type="button"
            style={{ ...styles.button, ...styles.quiet }}
            onClick={() => dialog.current?.close()}
          >
            {say.close}
          </button>
        </div>
      </dialog>
    </div>
  )
}
