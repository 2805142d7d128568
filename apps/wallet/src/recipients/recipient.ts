import { type Address, getAddress, isAddress } from 'viem'

/** Who gets it. The address decides; the name only helps to recognise it. */
export interface Recipient {
  readonly address: Address
  /** A user of this service, as the service writes the name. */
  readonly username?: string | undefined
}

export type ParseAddressResult =
  | { readonly ok: true; readonly address: Address }
  | { readonly ok: false; readonly message: string }

/** Whether the text is meant as an address rather than as a username. */
export const looksLikeAddress = (text: string) => /^0x[0-9a-fA-F]*$/i.test(text.trim())

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

/** What somebody wrote into the place of a recipient. */
export type TypedRecipient =
  | { readonly kind: 'address'; readonly address: Address }
  /** To be looked up at the service. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'wrong'; readonly message: string }

/** Reads a recipient: an address where the text begins like one, else a username. */
export function readRecipient(text: string): TypedRecipient {
  const typed = text.trim()
  if (typed === '') return { kind: 'wrong', message: 'Enter an address or a username.' }
  if (!looksLikeAddress(typed)) return { kind: 'name', name: typed }
  const parsed = parseAddress(typed)
  return parsed.ok ? { kind: 'address', address: parsed.address } : { kind: 'wrong', message: parsed.message }
}

/** Who a form means, once that is known. */
export function typedRecipient({
  recipient,
  chosen,
}: {
  readonly recipient: string
  readonly chosen: Recipient | undefined
}): Recipient | undefined {
  const typed = readRecipient(recipient)
  return chosen ?? (typed.kind === 'address' ? { address: typed.address } : undefined)
}
