/** A CBOR item (RFC 8949), as far as WebAuthn uses it. Bytes are Buffers, maps are Maps. */
type Item = number | bigint | string | boolean | null | Buffer | readonly Item[] | ReadonlyMap<unknown, Item>

/**
 * A separate decoder for the reference implementation. It accepts only definite lengths, and throws on anything
 * else.
 */
export function decodeCbor(bytes: Buffer): { readonly item: Item; readonly rest: Buffer } {
  let at = 0

  function take(count: number): Buffer {
    if (at + count > bytes.length) throw new RangeError('unexpected end of CBOR')
    at += count
    return bytes.subarray(at - count, at)
  }

  function argument(information: number): number {
    if (information < 24) return information
    if (information === 24) return take(1).readUInt8()
    if (information === 25) return take(2).readUInt16BE()
    if (information === 26) return take(4).readUInt32BE()
    throw new RangeError('unsupported length')
  }

  function read(depth: number): Item {
    if (depth > 8) throw new RangeError('CBOR is too deep')
    const head = take(1).readUInt8()
    const major = head >> 5
    const information = head & 0x1f
    if (major === 7) {
      if (information === 20 || information === 21) return information === 21
      if (information === 22) return null
      throw new RangeError('unsupported simple value')
    }
    const count = argument(information)
    if (major === 0) return count
    if (major === 1) return -1 - count
    if (major === 2) return take(count)
    if (major === 3) return new TextDecoder('utf-8', { fatal: true }).decode(take(count))
    if (major === 4) return Array.from({ length: Math.min(count, bytes.length) }, () => read(depth + 1))
    if (major === 5) {
      const map = new Map<unknown, Item>()
      for (let pair = 0; pair < count; pair++) {
        const key = read(depth + 1)
        if (map.has(key)) throw new RangeError('duplicate key')
        map.set(key, read(depth + 1))
      }
      return map
    }
    throw new RangeError('unsupported tag')
  }

  const item = read(0)
  return { item, rest: bytes.subarray(at) }
}
