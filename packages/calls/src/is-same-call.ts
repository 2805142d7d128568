import type { Call } from '@lanyard/accounts'
import { isAddressEqual } from 'viem'

/** Whether two calls have the same bytes, ignoring letter case. */
export const isSameCall = (a: Call | undefined, b: Call): boolean =>
  a !== undefined &&
  isAddressEqual(a.to, b.to) &&
  a.value === b.value &&
  a.data.toLowerCase() === b.data.toLowerCase()

/**
 * Returns undefined if decoding fails. viem throws on an unknown selector and on arguments that cannot be
 * decoded.
 */
export function tryDecode<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
