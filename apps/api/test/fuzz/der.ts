import type { derForms } from './ceremony-changes.ts'

/** Order of P-256 (FIPS 186-5). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

const integer = (bytes: Buffer) => Buffer.concat([Buffer.from([0x02, bytes.length]), bytes])
const sequence = (...parts: readonly Buffer[]) => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([0x30, body.length]), body])
}

/** The two encoded integers of an ECDSA signature. */
function integersOf(der: Buffer): { readonly r: Buffer; readonly s: Buffer } {
  const length = der[3] ?? 0
  return { r: der.subarray(4, 4 + length), s: der.subarray(6 + length) }
}

const toNumber = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`)

function minimal(value: bigint): Buffer {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes
}

const padded = (bytes: Buffer) => Buffer.from(toNumber(bytes).toString(16).padStart(64, '0'), 'hex')

/** Encodes a signature in another form. Only `malleable` is valid DER. Its integers differ, but they verify too. */
export function reshapeDer(der: Buffer, form: (typeof derForms)[number]): Buffer {
  const { r, s } = integersOf(der)
  switch (form) {
    case 'malleable':
      return sequence(integer(r), integer(minimal(order - toNumber(s))))
    case 'longLength':
      return Buffer.concat([Buffer.from([0x30, 0x81, der.length - 2]), der.subarray(2)])
    case 'indefinite':
      return Buffer.concat([Buffer.from([0x30, 0x80]), der.subarray(2), Buffer.alloc(2)])
    case 'paddedIntegers':
      return sequence(
        integer(Buffer.concat([Buffer.alloc(2), r])),
        integer(Buffer.concat([Buffer.alloc(2), s])),
      )
    case 'negativeIntegers':
      return sequence(integer(Buffer.concat([Buffer.from([0xff]), r])), integer(s))
    case 'zero':
      return sequence(integer(Buffer.alloc(1)), integer(s))
    case 'order':
      return sequence(integer(minimal(order)), integer(s))
    case 'trailing':
      return Buffer.concat([der, Buffer.alloc(3)])
    case 'innerTrailing':
      return sequence(integer(r), integer(s), Buffer.from([0x05, 0x00]))
    case 'raw':
      return Buffer.concat([padded(r), padded(s)])
    case 'set':
      return Buffer.concat([Buffer.from([0x31]), der.subarray(1)])
    case 'oneInteger':
      return sequence(integer(r))
    case 'threeIntegers':
      return sequence(integer(r), integer(s), integer(s))
    case 'huge':
      return sequence(integer(Buffer.alloc(100, 1)), integer(s))
  }
}
