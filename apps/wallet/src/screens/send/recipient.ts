import { type Address, getAddress, isAddress } from 'viem'

/** Who gets it. */
export interface Recipient {
  readonly address: Address
  /** Where the person chose a user by name. */
  readonly username?: string
}

export type ParseAddressResult =
  | { readonly ok: true; readonly address: Address }
  | { readonly ok: false; readonly message: string }

/** Whether the text is meant as an address rather than as a username. */
export const looksLikeAddress = (text: string) => /^0x[0-9a-fA-F]{6,}$/i.test(text.trim())

/** Reads an address strictly: mixed case carries a checksum (ERC-55), and one wrong character breaks it. */
export function parseAddress(text: string): ParseAddressResult {
  const typed = text.trim()
  const digits = typed.slice(2)
  if (!/^0x[0-9a-fA-F]*$/.test(typed))
    return { ok: false, message: 'An address is 0x and 40 hexadecimal digits.' }
  if (digits.length !== 40)
    return { ok: false, message: `An address has 40 digits after 0x; this has ${digits.length}.` }
  const uniform = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (!uniform && !isAddress(typed))
    return { ok: false, message: 'The checksum is wrong: a character was mistyped. Copy the address again.' }
  return { ok: true, address: getAddress(`0x${digits.toLowerCase()}`) }
}
