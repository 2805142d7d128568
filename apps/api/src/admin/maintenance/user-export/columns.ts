import { z } from 'zod'

/** Encodings of columns in an exported document. Each one is a codec: decoding restores the encoded value. */

/** `numeric`: a decimal string. */
export const numeric = z.codec(z.string().regex(/^\d{1,78}$/, 'Expected a decimal string'), z.bigint(), {
  decode: (text) => BigInt(text),
  encode: (value) => value.toString(),
})

/** `timestamptz`: ISO 8601 in UTC. */
export const time = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (value) => value.toISOString(),
})

/** `bytea`: base64url without padding. */
export const bytes = z.codec(
  z.string().regex(/^[\w-]*$/, 'Expected base64url'),
  z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  {
    decode: (text) => new Uint8Array(Buffer.from(text, 'base64url')),
    encode: (value) => Buffer.from(value).toString('base64url'),
  },
)

/** `int4`, `int8`. */
export const integer = z.int()

/** Addresses and hashes, in lower case as in the database. */
export const hexText = z.string().regex(/^0x[0-9a-f]*$/, 'Expected hex in lower case')

/** `jsonb`: unchanged. */
export const json = z.json()

/**
 * The schema of a table's rows. Every column has to be named: a new column of the table does not compile
 * until its encoding is decided here.
 */
export const rowOf =
  <Row>() =>
  <Shape extends { [Column in keyof Row]-?: z.ZodType<Row[Column]> }>(
    shape: Shape & { [Other in Exclude<keyof Shape, keyof Row>]: never },
  ) =>
    z.strictObject(shape)
