import { memo } from '../memo.ts'
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

/** Digits that are written for letters. */
const digits: Readonly<Record<string, string>> = { 0: 'o', 3: 'e', 4: 'a', 5: 's', 7: 't' }

/** What a name claims to be: as its skeleton, but accents do not distinguish it, and digits are letters. */
const claimOf = (name: string): string =>
  usernameSkeleton(name)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[03457]/g, (digit) => digits[digit] ?? digit)

/** In lower case `adm1n` looks like nothing, and in capitals `ADM1N` looks like `ADMIN`. */
const casesOf = (name: string): readonly string[] => [
  ...new Set([name, withoutNumbers(name)].flatMap((form) => [form, form.toLowerCase(), form.toUpperCase()])),
]

/** A number after a word leaves its claim as it is: `admin1`, `support 24`. */
const withoutNumbers = (name: string): string => name.replace(/\p{N}+(?![\p{L}\p{N}])/gu, '')

/** The claims of each list: a service asks about one list with every request. */
const claimsOf = memo(
  (reserved: readonly string[]): ReadonlySet<string> => new Set(reserved.flatMap(casesOf).map(claimOf)),
)

/**
 * Whether a name is reserved, or consists only of reserved words: `Support`, `suppοrt`, `lanyard-admin`,
 * `ad.min`, `supp0rt`, `ádmin`, `admin1`.
 *
 * @param reserved - {@link reservedUsernames}, or the operator's list
 */
export function isReservedUsername(name: string, reserved: readonly string[]): boolean {
  const claims = claimsOf(reserved)
  return casesOf(name).some((form) => {
    const words = claimOf(form)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
    return words.length > 0 && (claims.has(words.join('')) || words.every((word) => claims.has(word)))
  })
}
