import { type Address, sha256, stringToHex } from 'viem'
import type { AccountOwner, PasskeyOwner } from './owner.ts'
import { toModuleOwner } from './safe/ownership/owner-change.ts'

/** What the holder of a login does with it, besides reading. */
export type IdentityAct =
  | {
      readonly act: 'register'
      /** The public key of the new passkey. */
      readonly passkey: Pick<PasskeyOwner, 'x' | 'y'>
      /** Of its creation, base64url as in clientDataJSON. */
      readonly challenge: string
    }
  | { readonly act: 'link'; readonly account: Address }
  | { readonly act: 'ask-guardians'; readonly account: Address; readonly newOwner: AccountOwner }

/**
 * The `nonce` that a provider has to put into the ID token for an act (OpenID Connect Core §3.1.2.1). The token then serves this
 * act and no other: a token that was stolen, or issued for another service, does not.
 *
 * @returns SHA-256, 64 hex digits without 0x
 */
export function identityNonce(act: IdentityAct): string {
  return sha256(stringToHex(`lanyard identity 1 ${partsOf(act).join(' ')}`)).slice(2)
}

function partsOf(given: IdentityAct): readonly string[] {
  const { act } = given
  if (act === 'register') {
    const { x, y } = given.passkey
    return [act, ...[x, y].map((value) => value.toString(16).padStart(64, '0')), given.challenge]
  }
  if (act === 'link') return [act, given.account.toLowerCase()]
  return [act, given.account.toLowerCase(), toModuleOwner(given.newOwner).key.toLowerCase()]
}
