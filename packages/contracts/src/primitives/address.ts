import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { z } from 'zod'

export type Address = `0x${string}`

/** ERC-55: mixed case is a checksum. The n-th letter is upper case if the n-th hash nibble is 8 or more. */
export function toChecksumAddress(address: string): Address {
  const digits = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const checksummed = Array.from(digits, (digit, i) =>
    Number.parseInt(hash.charAt(i), 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${checksummed.join('')}`
}

const isUniformCase = (digits: string) => digits === digits.toLowerCase() || digits === digits.toUpperCase()

const wrongChecksum = 'The checksum of this mixed-case address is wrong (ERC-55): a character was mistyped'

/**
 * A 20-byte address. Input in one case is accepted as it is; mixed case must have a valid ERC-55 checksum.
 */
export const address = z
  .string()
  // Only an address is hashed: the checksum of a text of 250 KB takes 40 ms.
  .regex(/^0x[0-9a-fA-F]{40}$/, { error: 'Expected an address: 0x and 40 hex digits', abort: true })
  .transform((value, { issues }) => {
    const checksummed = toChecksumAddress(value)
    if (isUniformCase(value.slice(2)) || checksummed === value) return checksummed
    issues.push({ code: 'custom', message: wrongChecksum, input: value })
    return z.NEVER
  })
  .meta({
    type: 'string',
    pattern: '^0x[0-9a-fA-F]{40}$',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })

/** An address in responses, always checksummed. */
export const addressOutput = z
  .templateLiteral(['0x', z.string()])
  .meta({ type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' })
