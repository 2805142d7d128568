import { ceremonyBody, passkeyOwner } from '@lanyard/client'
import { startRegistration } from '@simplewebauthn/browser'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'
import { rememberPasskey } from '../sign-in/known-passkey.ts'
import type { OwnerCandidate } from './owner-candidate.ts'

/**
 * Creates another passkey for the signed-in user. It owns nothing until its owner change is signed on each
 * network.
 *
 * @param label - the person's name for it
 * @throws WalletError NOT_VERIFIABLE if the browser does not report the public key; errors of the ceremony
 * and the service
 */
export async function addPasskey(label: string): Promise<OwnerCandidate> {
  const optionsJSON = await trpc.webauthn.credentialOptions.query({})
  const response = await startRegistration({
    // The schema has `string` where the library has the standard's literals.
    optionsJSON: optionsJSON as Parameters<typeof startRegistration>[0]['optionsJSON'],
  })
  const owner = passkeyOwner(response)
  if (!owner) throw new WalletError('NOT_VERIFIABLE')
  const { credentialId } = await trpc.webauthn.credentialVerify.mutate({ ...ceremonyBody(response), label })
  rememberPasskey(response.id, owner)
  return { ...owner, credentialId }
}
