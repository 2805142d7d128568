import type { RelyingParty } from '../passkeys/relying-party.ts'

/**
 * The origin in the message that a user signs: the requesting page if it is one of ORIGINS, otherwise the
 * first of ORIGINS. A wallet compares the message's domain with the page that shows it (ERC-4361, "domain
 * binding"), so the RP ID cannot be used.
 */
export function loginOrigin({ origins, rpId }: RelyingParty, asking: string | undefined): string {
  if (asking !== undefined && origins.includes(asking)) return asking
  return origins[0] ?? `https://${rpId}`
}
