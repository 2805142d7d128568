import { z } from 'zod'

/** Unicode characters, after normalisation. */
const maxLength = 64

/**
 * UTF-16 code units before normalisation: a character consists of up to four, and there may be surrounding
 * spaces.
 */
const maxUnits = 4 * maxLength

/** Control, format, surrogate, private-use and unassigned characters, and separators other than the plain space. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}|[\u115f\u1160\u3164\uffa0]/u

/** Other invisible characters: variation selectors, joiners and similar, and the empty braille pattern. */
const ignorable = /[\p{Default_Ignorable_Code_Point}\u2800]/u

const invisibleMessage = 'A username has no control or invisible characters'
const longMessage = `A username has at most ${maxLength} characters`

/**
 * A username as a person writes it: NFKC, 1–64 characters, visible, no outer spaces. E-mail addresses are
 * allowed. The length is also checked before normalisation, whose cost is quadratic in a run of combining
 * marks.
 */
export const username = z
  .string()
  .max(maxUnits, longMessage)
  .transform((value) => value.normalize('NFKC').trim())
  .pipe(
    z
      .string()
      .refine((value) => value.length > 0, 'A username has at least one character')
      .refine((value) => [...value].length <= maxLength, longMessage)
      .refine((value) => !invisible.test(value), invisibleMessage),
  )
  .meta({ type: 'string', minLength: 1, maxLength, example: 'alice' })

/** The name of a new user, which must not look like another user's. Existing users keep such names. */
export const newUsername = username
  .refine((value) => !ignorable.test(value), invisibleMessage)
  .meta({ type: 'string', minLength: 1, maxLength, example: 'alice' })

/** The form in which usernames are unique: the caller's input, ignoring case. */
export function usernameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase().normalize('NFKC')
}
