import { z } from 'zod'

/** Control, format, surrogate, private-use and unassigned characters, and separators other than the plain space. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}|[\u115f\u1160\u3164\uffa0]/u

/** A username as a person writes it: NFKC, 1–64 characters, visible, no outer spaces. E-mail addresses are fine. */
export const username = z
  .string()
  .transform((value) => value.normalize('NFKC').trim())
  .pipe(
    z
      .string()
      .refine((value) => value.length > 0, 'A username has at least one character')
      .refine((value) => [...value].length <= 64, 'A username has at most 64 characters')
      .refine((value) => !invisible.test(value), 'A username has no control or invisible characters'),
  )
  .meta({ type: 'string', minLength: 1, maxLength: 64, example: 'alice' })

/** The form in which usernames are unique: what a caller typed, ignoring case. */
export function usernameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase().normalize('NFKC')
}
