import type { CDPSession } from 'playwright-core'

/** The browser's passkey authenticator, controlled by the test. */
export interface VirtualAuthenticator {
  /** False: the next ceremonies end as if the person had closed the prompt. */
  setUserVerified(verified: boolean): Promise<void>
  /** Switches to another device with its own passkeys; the first one is called `first`. */
  useDevice(name: string): Promise<void>
  /**
   * Gives another window an authenticator with the current device's passkeys. A virtual authenticator belongs
   * to one window; a real one belongs to the device.
   */
  shareWith(session: CDPSession): Promise<void>
  /** What pages told it by WebAuthn's Signal API: the names that passkeys got, and the passkeys that were deleted. */
  readonly signals: readonly string[]
}

/** Adds a platform authenticator that approves everything (Chrome DevTools Protocol, domain WebAuthn). */
export async function addVirtualAuthenticator(session: CDPSession): Promise<VirtualAuthenticator> {
  await session.send('WebAuthn.enable')
  const signals: string[] = []
  session.on('WebAuthn.credentialUpdated', ({ credential }) => signals.push(`name ${credential.userName}`))
  session.on('WebAuthn.credentialDeleted', ({ credentialId }) =>
    signals.push(`deleted ${Buffer.from(credentialId, 'base64').toString('base64url')}`),
  )
  const add = async (to = session) => {
    const { authenticatorId } = await to.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return authenticatorId
  }
  const drawer = new Map<string, Awaited<ReturnType<typeof credentials>>>()
  const credentials = async () =>
    (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  let device = 'first'
  let isVerified = true
  let shared = 0
  let authenticatorId = await add()
  return {
    signals,
    setUserVerified: async (isUserVerified) => {
      isVerified = isUserVerified
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    useDevice: async (name) => {
      drawer.set(device, await credentials())
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      authenticatorId = await add()
      device = name
      for (const credential of drawer.get(name) ?? [])
        await session.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
    shareWith: async (other) => {
      await other.send('WebAuthn.enable')
      const otherId = await add(other)
      if (!isVerified)
        await other.send('WebAuthn.setUserVerified', { authenticatorId: otherId, isUserVerified: false })
      // A device uses one signature counter for all windows, and the service rejects a count that it has
      // already seen.
      shared++
      for (const credential of await credentials())
        await other.send('WebAuthn.addCredential', {
          authenticatorId: otherId,
          credential: { ...credential, signCount: credential.signCount + 1_000 * shared },
        })
    },
  }
}
