import { isNameServiceName } from './name-service-endings.ts'
import { isReservedUsername } from './reserved-username.ts'
import { isHighlyRestrictive } from './username-scripts.ts'
import { plainLook } from './username-skeleton.ts'

const notInAWord = '(?<![\\p{L}\\p{N}])'
const endOfWord = '(?![\\p{L}\\p{N}])'

/**
 * `0x` and hex digits at the beginning of any word, shortened or not: `0x7099…79C8`, `(0x7099)`, `Ox…79C8`.
 */
const addressLike = [
  new RegExp(`${notInAWord}0x[^\\p{L}\\p{N}]*[\\da-f]+${endOfWord}`, 'u'),
  new RegExp(`${notInAWord}0x[\\da-f]{3,}.*[\\da-f]{3,}$`, 'u'),
  new RegExp(`${notInAWord}ox(?=.*\\d)[^\\p{L}\\p{N}]*[\\da-f]+${endOfWord}`, 'u'),
]

/**
 * The reason why no new user may take a name, as a sentence; undefined for an allowed name. Existing users
 * keep such names.
 *
 * @param name - NFKC, the output of the username schema
 * @param reserved - names that nobody may take
 */
export function usernameRefusal(name: string, reserved: readonly string[]): string | undefined {
  if (!isHighlyRestrictive(name)) {
    return 'A new username must use one script, such as Latin or Cyrillic, without mixing them.'
  }
  const look = plainLook(name)
  if (addressLike.some((form) => form.test(look))) {
    return 'A new username must not look like an address.'
  }
  if (isNameServiceName(name) || isNameServiceName(look)) {
    return 'A new username must not end like the name of a name service, such as .eth.'
  }
  return isReservedUsername(name, reserved) ? 'This username is reserved.' : undefined
}
