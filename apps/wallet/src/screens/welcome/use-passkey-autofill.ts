import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { useEffect } from 'react'
import { signIn } from '../../passkey/sign-in.ts'
import type { Session } from '../../sign-in/stored-session.ts'

/**
 * Milliseconds. The service's challenge lives for five minutes, and a page may stay open longer than that.
 */
const renewAfter = 4 * 60_000

/** Offers the passkeys in the username field's suggestions, if the browser supports it. */
export function usePasskeyAutofill(onSession: (session: Session) => void): void {
  useEffect(() => {
    let left = false
    let renewal: ReturnType<typeof setTimeout> | undefined
    const offer = async () => {
      if (!(await browserSupportsWebAuthnAutofill()) || left) return
      // The library ends a pending ceremony when the next one starts.
      const ownRenewal = setTimeout(() => void offer(), renewAfter)
      renewal = ownRenewal
      try {
        const session = await signIn({ autofill: true })
        if (!left) onSession(session)
      } catch {
        // This is also how it ends when a button is pressed instead; the button reports its own errors.
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
