import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { useEffect } from 'react'
import { signIn } from '../../passkey/sign-in.ts'
import { lastUsername } from '../../session/known-account.ts'
import type { Session } from '../../session/stored-session.ts'

/**
 * Offers the passkey among the username field's suggestions, where the browser can. The service binds a challenge
 * to a user, so this is for whoever signed in here last; everybody else types a name.
 */
export function usePasskeyAutofill(onSession: (session: Session) => void): void {
  useEffect(() => {
    const username = lastUsername()
    if (username === undefined) return
    let left = false
    const offer = async () => {
      if (!(await browserSupportsWebAuthnAutofill()) || left) return
      const session = await signIn(username, { autofill: true })
      if (!left) onSession(session)
    }
    // It fails whenever the button is pressed instead, or the account is gone: the button says what is wrong.
    offer().catch(() => undefined)
    return () => {
      left = true
      WebAuthnAbortService.cancelCeremony()
    }
  }, [onSession])
}
