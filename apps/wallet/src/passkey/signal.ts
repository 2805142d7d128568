import { readStored, writeStored } from '@lanyard/ui'

/** What the browser may offer of WebAuthn L3 §5.1.10; TypeScript declares all of it as there. */
type SignalApi = Partial<
  Pick<typeof PublicKeyCredential, 'signalUnknownCredential' | 'signalCurrentUserDetails'>
>

const api = (): SignalApi => globalThis.PublicKeyCredential ?? {}

/**
 * Tells the provider of a passkey that the passkey opens nothing any more, so that it is not offered again.
 *
 * A passkey here is a key to money, and a provider may delete what it is told about. So the wallet names one passkey that its
 * own person has removed, and never sends the list of all that count (`signalAllAcceptedCredentials`) or repeats that the service
 * does not know one: a service that lost its rows, or lies, would delete keys that still own accounts.
 */
export async function signalRemovedPasskey(rpId: string, credentialId: string): Promise<void> {
  try {
    await api().signalUnknownCredential?.({ rpId, credentialId })
  } catch {
    // The provider goes on offering it, and the sign-in says that it no longer counts.
  }
}

interface SignedIn {
  readonly rpId: string
  readonly credentialId: string
  /** base64url. Security keys that keep no user name give none. */
  readonly userHandle: string | null | undefined
  readonly username: string
}

const keyOf = (credentialId: string) => `lanyard.signalled.${credentialId}`

/**
 * Tells the provider the name of the account, so that its list shows the one from today. Once for each name: a person may have
 * written another one there.
 */
export async function signalUsername({ rpId, credentialId, userHandle, username }: SignedIn): Promise<void> {
  const signal = api().signalCurrentUserDetails
  if (!signal || !userHandle || readStored(keyOf(credentialId)) === username) return
  try {
    await signal.call(PublicKeyCredential, {
      rpId,
      userId: userHandle,
      name: username,
      displayName: username,
    })
    writeStored(keyOf(credentialId), username)
  } catch {
    // The provider goes on showing the earlier name.
  }
}
