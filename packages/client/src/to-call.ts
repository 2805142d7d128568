import type { Call } from '@lanyard/accounts'
import { type Address, getAddress, isHex } from 'viem'

/** A call as requests write it. */
export interface AskedCall {
  readonly encodedData: string
  readonly targetContractAddress: string
  /** Absent: 0. */
  readonly value?: string | number | bigint | undefined
}

/**
 * The call that a request means. Without the schemas, which would double the script of a page that only verifies;
 * the caller wrote the request, and the service takes no other forms than these.
 *
 * @throws TypeError, SyntaxError, RangeError, and viem's InvalidAddressError for what is no call
 */
export function toCall({ encodedData, targetContractAddress, value = 0n }: AskedCall): Call {
  if (!isHex(encodedData)) throw new TypeError('encodedData is not hex')
  const to: Address = getAddress(targetContractAddress)
  return { to, value: BigInt(value), data: encodedData }
}
