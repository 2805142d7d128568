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
