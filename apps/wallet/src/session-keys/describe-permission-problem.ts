import type { PermissionProblem } from '@lanyard/session-keys'
import { t } from '../i18n/t.ts'

/** The compiler's messages are for developers. These say the same to people. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/^Expected less than 2\^/, t('This amount is larger than a limit can be.')],
  [/^Expected more than 0/, t('Enter more than zero.')],
  [/^Expected a decimal string/, t('This is not an amount.')],
  [/^Expected a whole number/, t('This number is too small or too large.')],
  [/^Expected an address/, t('This is not an address, or a letter in it is wrong.')],
  [/^Expected (an array of addresses|the functions)/, t('This list is missing.')],
  [/^Expected a signature/, t('This is not a function such as transfer(address,uint256).')],
  [/^Expected a known type/, t('This wallet does not know this kind of permission.')],
  [/^Expected /, t('This value is not valid.')],
]

/** A problem in a session's permissions, in words for people. */
export const describePermissionProblem = ({ message }: Pick<PermissionProblem, 'message'>): string =>
  texts.find(([pattern]) => pattern.test(message))?.[1] ?? message

/** The permission that a problem is in, counted from 1 as people count. Undefined if it is in none. */
export function permissionNumber({ path }: Pick<PermissionProblem, 'path'>): number | undefined {
  const index = /^permissions\[(\d+)\]/.exec(path)?.[1]
  return index === undefined ? undefined : Number(index) + 1
}
