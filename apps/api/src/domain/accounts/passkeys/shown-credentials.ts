import { type CallerContext, findReader } from '../callers/caller.ts'
import type { RelyingParty } from './relying-party.ts'

/**
 * The passkeys that the options of a ceremony name. Anyone who knows a username can ask for them, so with
 * `CREDENTIAL_IDS=hidden` only the user's own token gets them (WebAuthn L3 §14.6.3); the authenticator then finds
 * the passkey by itself. A token that does not verify counts as none: its user may be about to sign in again.
 */
export async function shownCredentials<C>(
  context: CallerContext & { readonly project: { readonly relyingParty: RelyingParty } },
  userId: string,
  credentials: readonly C[],
): Promise<readonly C[]> {
  if (!context.project.relyingParty.hidesCredentials) return credentials
  const caller = await findReader(context).catch(() => undefined)
  return caller === userId ? credentials : []
}
