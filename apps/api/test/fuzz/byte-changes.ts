import fc from 'fast-check'

/** A change to some bytes, as JSON. Positions are modulo the length, so that each change fits any bytes. */
export type ByteChange =
  | { readonly change: 'flip'; readonly at: number; readonly mask: number }
  | { readonly change: 'insert'; readonly at: number; readonly hex: string }
  | { readonly change: 'remove'; readonly at: number; readonly count: number }
  | { readonly change: 'append'; readonly hex: string }
  | { readonly change: 'keep'; readonly count: number }
  | { readonly change: 'replace'; readonly hex: string }

/** CBOR that has broken decoders (RFC 8949): wrong lengths, depth, tags, indefinite lengths. */
const hostileCbor: readonly string[] = [
  '',
  'f6',
  'a0',
  '80',
  'ff',
  '1bffffffffffffffff',
  '3bffffffffffffffff',
  '5bffffffffffffffff00',
  '5affffffff00',
  '7b7fffffffffffffff61',
  '9bffffffffffffffff',
  '9a0fffffff',
  'bb7fffffffffffffffa0',
  'baffffffff',
  '5f4100ff',
  '7f6161ff',
  '9fff',
  'bf6161ff',
  'a1f6f6',
  'a1a0a0',
  'a1614101',
  'a2614101614102', // a duplicate key
  'c249ffffffffffffffffff',
  'd9d9f7a0',
  'dbffffffffffffffff00',
  'f97e00',
  'fb7ff8000000000000',
  'fa7f800000',
  'f818',
  'fc',
  '81'.repeat(5_000),
  'a100'.repeat(3_000),
  'c1'.repeat(3_000),
]

const hex = fc.uint8Array({ minLength: 1, maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('hex'))
const place = fc.nat({ max: 400 })

export const byteChange: fc.Arbitrary<ByteChange> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      change: fc.constant('flip' as const),
      at: place,
      mask: fc.oneof(fc.constantFrom(1, 2, 4, 8, 16, 32, 64, 128, 255), fc.integer({ min: 1, max: 255 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ change: fc.constant('insert' as const), at: place, hex }) },
  {
    weight: 2,
    arbitrary: fc.record({
      change: fc.constant('remove' as const),
      at: place,
      count: fc.integer({ min: 1, max: 40 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ change: fc.constant('append' as const), hex }) },
  { weight: 2, arbitrary: fc.record({ change: fc.constant('keep' as const), count: place }) },
  {
    weight: 2,
    arbitrary: fc.record({
      change: fc.constant('replace' as const),
      hex: fc.oneof(fc.constantFrom(...hostileCbor), hex),
    }),
  },
)

export function changeBytes(bytes: Buffer, change: ByteChange): Buffer {
  const wrap = (at: number) => at % (bytes.length + 1)
  switch (change.change) {
    case 'flip': {
      if (bytes.length === 0) return bytes
      const flipped = Buffer.from(bytes)
      const at = change.at % bytes.length
      flipped.writeUInt8(flipped.readUInt8(at) ^ change.mask, at)
      return flipped
    }
    case 'insert': {
      const at = wrap(change.at)
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(change.hex, 'hex'), bytes.subarray(at)])
    }
    case 'remove': {
      const at = wrap(change.at)
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + change.count)])
    }
    case 'append':
      return Buffer.concat([bytes, Buffer.from(change.hex, 'hex')])
    case 'keep':
      return bytes.subarray(0, wrap(change.count))
    case 'replace':
      return Buffer.from(change.hex, 'hex')
  }
}
