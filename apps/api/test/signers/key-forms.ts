import { type Hex, hexToBytes } from 'viem'

/** One way in which a private key can stand somewhere. */
export interface KeyForm {
  readonly name: string
  readonly bytes: Buffer
}

/** As the text that the environment and viem have, as 32 bytes, and as V8 keeps a bigint. */
export function formsOf(key: Hex): readonly KeyForm[] {
  const raw = Buffer.from(hexToBytes(key))
  const hex = raw.toString('hex')
  return [
    { name: 'hex text', bytes: Buffer.from(hex, 'latin1') },
    { name: 'hex text of two bytes a character', bytes: Buffer.from(hex, 'utf16le') },
    { name: '32 bytes', bytes: raw },
    // Least significant digit first.
    { name: 'a bigint', bytes: Buffer.from(raw).reverse() },
  ]
}

/** The longest form, less one: so much of one piece is looked at again with the next. */
export const formOverlap = 127

/** Which forms are in a piece of memory or of a file. */
export function formsIn(piece: Buffer, forms: readonly KeyForm[]): readonly string[] {
  return forms.filter(({ bytes }) => piece.includes(bytes)).map(({ name }) => name)
}
