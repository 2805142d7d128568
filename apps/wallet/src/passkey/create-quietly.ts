import { startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser'
import type { CreationOptions } from './ceremonies.ts'

/** Milliseconds. A browser without such a password manager may never answer. */
const quietLimit = 1_000

/**
 * Creates a passkey without a prompt, if the password manager with which the person has just signed in does that (conditional create,
 * WebAuthn L3 §5.1.3). Undefined if it does not, which the person does not notice.
 */
export async function createPasskeyQuietly(options: CreationOptions) {
  try {
    const can = await globalThis.PublicKeyCredential?.getClientCapabilities?.()
    if (!can?.conditionalCreate) return undefined
    const timer = setTimeout(() => WebAuthnAbortService.cancelCeremony(), quietLimit)
    return await startRegistration({
      optionsJSON: options as Parameters<typeof startRegistration>[0]['optionsJSON'],
      useAutoRegister: true,
    }).finally(() => clearTimeout(timer))
  } catch {
    return undefined
  }
}
