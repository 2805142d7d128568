import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { useEffect } from 'react'
import type { Session } from '../../api/stored-session.ts'
import { beginOffer, signInFromSuggestions } from '../../passkey/sign-in.ts'

/**
 * Milliseconds. The service's challenge lives for five minutes, and a page may stay open longer than that.
 */
const renewAfter = 4 * 60_000

/** Offers the passkeys in the username field's suggestions, if the browser supports it, until a button signs in. */
export function usePasskeyAutofill(onSession: (session: Session) => void): void {
  useEffect(() => {
    const offer = beginOffer()
    const wait = async () => {
      if (!(await browserSupportsWebAuthnAutofill())) return
      while (!offer.signal.aborted) {
        const old = AbortSignal.timeout(renewAfter)
        try {
          const session = await signInFromSuggestions(AbortSignal.any([offer.signal, old]))
          if (!offer.signal.aborted) onSession(session)
          return
        } catch {
          // Nobody has asked for anything, so nobody reads why it failed.
          if (!old.aborted) return
        }
      }
    }
    void wait()
    return () => {
      offer.abort()
      WebAuthnAbortService.cancelCeremony()
    }
  }, [onSession])
}
