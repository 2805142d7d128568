import { LanyardError } from '@lanyard/contracts'
import type { RelyingParty } from '../passkeys/relying-party.ts'
import type { Logins } from './logins.ts'

/**
 * Requires that a login ends at a page of this installation. The provider compares the whole address with those that it knows,
 * so this is the second of two checks against an open redirect.
 *
 * @throws INVALID_INPUT
 */
export function requireOwnPage(
  {
    relyingParty: { origins },
    logins,
  }: { readonly relyingParty: RelyingParty; readonly logins: Pick<Logins, 'shown'> },
  { issuer, redirectUri }: { readonly issuer: string; readonly redirectUri: string },
): void {
  // A login at an unknown provider is refused for that, without a request.
  if (!logins.shown.some((one) => one.issuer === issuer)) return
  const { origin, hash, username } = new URL(redirectUri)
  if (origins.includes(origin) && hash === '' && username === '') return
  throw new LanyardError('INVALID_INPUT', {
    issues: [
      { path: 'redirectUri', message: 'Expected an address of an origin in ORIGINS, without a fragment' },
    ],
  })
}
