/** The polynomial of CRC-32C (Castagnoli), reflected: RFC 3720 §12.1. */
const polynomial = 0x82f63b78

/** CRC-32C, an unsigned number of 32 bits. */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
