import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { useEffect } from 'react'
import { signIn } from '../../passkey/sign-in.ts'
import type { Session } from '../../session/stored-session.ts'

/** Milliseconds. A challenge of the service lives five minutes; a page may wait longer than that for its person. */
const renewAfter = 4 * 60_000

/** Offers the passkeys among the username field's suggestions, where the browser can. */
export function usePasskeyAutofill(onSession: (session: Session) => void): void {
  useEffect(() => {
    let left = false
    let renewal: ReturnType<typeof setTimeout> | undefined
    const offer = async () => {
      if (!(await browserSupportsWebAuthnAutofill()) || left) return
      // The library ends the ceremony that waits when the next one begins.
      const ownRenewal = setTimeout(() => void offer(), renewAfter)
      renewal = ownRenewal
      try {
        const session = await signIn({ autofill: true })
        if (!left) onSession(session)
      } catch {
        // It ends so whenever a button is pressed instead: the button says what is wrong.
      } finally {
        clearTimeout(ownRenewal)
      }
    }
    void offer()
    return () => {
      left = true
      clearTimeout(renewal)
      WebAuthnAbortService.cancelCeremony()
    }
  }, [onSession])
}
