import { type Hex, hexToBytes } from 'viem'

/** One form in which a private key can occur. */
export interface KeyForm {
  readonly name: string
  readonly bytes: Buffer
}

/** As the text in the environment and in viem, as 32 bytes, and as V8 stores a bigint. */
export function formsOf(key: Hex): readonly KeyForm[] {
  const raw = Buffer.from(hexToBytes(key))
  const hex = raw.toString('hex')
  return [
    { name: 'hex text', bytes: Buffer.from(hex, 'latin1') },
    { name: 'hex text in UTF-16', bytes: Buffer.from(hex, 'utf16le') },
    { name: '32 bytes', bytes: raw },
    // Least significant digit first.
    { name: 'a bigint', bytes: Buffer.from(raw).reverse() },
  ]
}

/** The longest form, less one: the tail of a chunk that is searched again with the next chunk. */
export const formOverlap = 127

/** The forms found in a chunk of memory or of a file. */
export function formsIn(piece: Buffer, forms: readonly KeyForm[]): readonly string[] {
  return forms.filter(({ bytes }) => piece.includes(bytes)).map(({ name }) => name)
}
