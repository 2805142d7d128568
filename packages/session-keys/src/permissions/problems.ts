import { type Address, isAddress, zeroAddress } from 'viem'

/** A problem in permissions and its path: `permissions[1].functions[0]`. */
export interface PermissionProblem {
  readonly path: string
  readonly message: string
}

/** Collects problems, so that a caller gets them all together. */
export class Problems {
  readonly list: PermissionProblem[] = []

  add(path: string, message: string): void {
    this.list.push({ path, message })
  }

  /** A positive decimal string of at most `bits`; otherwise adds a problem and returns 0. */
  amount(text: unknown, bits: number, path: string): bigint {
    const isDecimal = typeof text === 'string' && /^(0|[1-9]\d{0,77})$/.test(text)
    const value = isDecimal ? BigInt(text) : 0n
    if (!isDecimal) this.add(path, 'Expected a decimal string in base units.')
    else if (value === 0n) this.add(path, 'Expected more than 0.')
    else if (value >> BigInt(bits) !== 0n) this.add(path, `Expected less than 2^${bits}.`)
    else return value
    return 0n
  }

  /** A whole number from 1 on; otherwise adds a problem and returns 0. */
  count(value: unknown, bits: number, path: string): number {
    if (Number.isSafeInteger(value) && Number(value) > 0 && Number(value) < 2 ** bits) return Number(value)
    this.add(path, `Expected a whole number from 1 to ${2 ** bits - 1}.`)
    return 0
  }

  /** An address other than zero. */
  address(value: unknown, path: string): Address {
    if (typeof value === 'string' && isAddress(value) && value !== zeroAddress) return value
    this.add(path, 'Expected an address other than zero, with a valid checksum if it has one.')
    return zeroAddress
  }

  /** Addresses without duplicates. */
  addresses(values: unknown, path: string): Address[] {
    if (!Array.isArray(values)) {
      this.add(path, 'Expected an array of addresses.')
      return []
    }
    const seen = new Set<string>()
    return values.map((value, index) => {
      const address = this.address(value, `${path}[${index}]`)
      if (seen.has(address.toLowerCase())) this.add(`${path}[${index}]`, 'This address is named twice.')
      seen.add(address.toLowerCase())
      return address
    })
  }
}
