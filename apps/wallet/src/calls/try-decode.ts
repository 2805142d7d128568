/** viem throws on an unknown selector and on arguments that do not decode: then it is some contract call. */
export function tryDecode<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
