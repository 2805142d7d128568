import type { Call } from '@lanyard/accounts'
import { type Address, getAddress, isHex } from 'viem'

/** A call in the format of requests. */
export interface CallRequest {
  readonly encodedData: string
  readonly targetContractAddress: string
  /** Absent: 0. */
  readonly value?: string | number | bigint | undefined
}

/**
 * Converts a requested call. It does not use the schemas, which would double the script size of a page that
 * only verifies. The caller wrote the request, and the service accepts no other formats.
 *
 * @throws TypeError, SyntaxError, RangeError, and viem's InvalidAddressError if the input is not a valid call
 */
export function toCall({ encodedData, targetContractAddress, value = 0n }: CallRequest): Call {
  if (!isHex(encodedData)) throw new TypeError('encodedData is not hex')
  const to: Address = getAddress(targetContractAddress)
  return { to, value: BigInt(value), data: encodedData }
}
