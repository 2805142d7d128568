import { usernameSkeleton } from './username-skeleton.ts'

/** Names that claim to speak for the service. An operator adds others. */
export const reservedUsernames = [
  'admin',
  'administrator',
  'help',
  'helpdesk',
  'lanyard',
  'moderator',
  'official',
  'operator',
  'root',
  'security',
  'staff',
  'support',
  'system',
  'team',
] as const

/**
 * Whether a name is reserved, or consists only of reserved words: `Support`, `suppοrt`, `lanyard-admin`,
 * `ad.min`.
 *
 * @param reserved - {@link reservedUsernames}, or the operator's list
 */
export function isReservedUsername(name: string, reserved: readonly string[]): boolean {
  const skeletons = new Set(reserved.map((one) => usernameSkeleton(one)))
  // `ADMIN` is the name, and in lower case `adm1n` looks like it.
  return [name, name.toLowerCase()].some((form) => {
    const words = usernameSkeleton(form)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
    return words.length > 0 && (skeletons.has(words.join('')) || words.every((word) => skeletons.has(word)))
  })
}
