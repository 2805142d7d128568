import type { RelyingParty } from '../passkeys/relying-party.ts'

/**
 * The page that a user signs in to: the one that asks, if it is one of ORIGINS, else the first of them. A wallet compares
 * the message's domain with the page that shows it (ERC-4361, "domain binding"), so the RP ID would not do.
 */
export function loginOrigin({ origins, rpId }: RelyingParty, asking: string | undefined): string {
  if (asking !== undefined && origins.includes(asking)) return asking
  return origins[0] ?? `https://${rpId}`
}
