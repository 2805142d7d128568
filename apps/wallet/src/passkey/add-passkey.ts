import { ceremonyBody, passkeyOwner } from '@lanyard/client'
import { startRegistration } from '@simplewebauthn/browser'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'
import type { OwnerCandidate } from '../owners/owner-candidate.ts'
import { rememberPasskey } from '../session/known-passkey.ts'

/**
 * Makes a further passkey of the signed-in user. It owns nothing yet: that takes a signature on each network.
 *
 * @param label the person's name for it.
 * @throws WalletError NOT_VERIFIABLE where the browser does not report the public key; what the ceremony and the
 * service throw.
 */
export async function addPasskey(label: string): Promise<OwnerCandidate> {
  const optionsJSON = await trpc.webauthn.credentialOptions.query({})
  const response = await startRegistration({
    // The schema says `string` where the library knows the standard's literals.
    optionsJSON: optionsJSON as Parameters<typeof startRegistration>[0]['optionsJSON'],
  })
  const owner = passkeyOwner(response)
  if (!owner) throw new WalletError('NOT_VERIFIABLE')
  const { credentialId } = await trpc.webauthn.credentialVerify.mutate({ ...ceremonyBody(response), label })
  rememberPasskey(response.id, owner)
  return { ...owner, credentialId }
}
