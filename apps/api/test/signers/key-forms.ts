import { type Hex, hexToBytes } from 'viem'

/** One form of a private key in memory. */
export interface KeyForm {
  readonly name: string
  readonly bytes: Buffer
}

/** The forms: text in the environment and in viem, 32 bytes, and V8's form of a bigint. */
export function formsOf(key: Hex): readonly KeyForm[] {
  const raw = Buffer.from(hexToBytes(key))
  const hex = raw.toString('hex')
  return [
    { name: 'hex text', bytes: Buffer.from(hex, 'latin1') },
    { name: 'hex text in UTF-16', bytes: Buffer.from(hex, 'utf16le') },
    { name: '32 bytes', bytes: raw },
    // Least significant byte first.
    { name: 'a bigint', bytes: Buffer.from(raw).reverse() },
  ]
}

/** The longest form minus one: the overlap between two chunks of a search. */
export const formOverlap = 127

/** The forms found in a chunk of memory or of a file. */
export function formsIn(piece: Buffer, forms: readonly KeyForm[]): readonly string[] {
  return forms.filter(({ bytes }) => piece.includes(bytes)).map(({ name }) => name)
}
