import type { Call } from '@lanyard/accounts'
import { isAddressEqual } from 'viem'

/** Byte for byte the same, in whatever case it is written. */
export const isSameCall = (a: Call | undefined, b: Call): boolean =>
  a !== undefined &&
  isAddressEqual(a.to, b.to) &&
  a.value === b.value &&
  a.data.toLowerCase() === b.data.toLowerCase()
