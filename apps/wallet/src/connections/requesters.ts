import { readStoredList, writeStored } from '@lanyard/ui'
import type { Address, Hex } from 'viem'

/** The page that asked for an operation. */
interface Requester {
  readonly userOpHash: Hex
  readonly origin: string
}

/** Operations that are remembered for an account in this browser, newest first. */
const maxRemembered = 200

const keyOf = (account: Address) => `lanyard.requesters.${account.toLowerCase()}`

const isRequester = (value: unknown): value is Requester =>
  typeof value === 'object' &&
  value !== null &&
  'userOpHash' in value &&
  'origin' in value &&
  typeof value.userOpHash === 'string' &&
  typeof value.origin === 'string'

function readAll(account: Address): readonly Requester[] {
  return readStoredList(keyOf(account)).filter(isRequester)
}

/** Stores in this browser which page asked for an operation. Neither the chain nor the service knows. */
export function rememberRequester(account: Address, userOpHash: Hex, origin: string): void {
  const others = readAll(account).filter((one) => one.userOpHash !== userOpHash)
  writeStored(keyOf(account), [{ userOpHash, origin }, ...others].slice(0, maxRemembered))
}

/** The origin of the page that asked for an operation through this browser. The browser vouched for it at that time. */
export const requesterOf = (account: Address, userOpHash: Hex): string | undefined =>
  readAll(account).find((one) => one.userOpHash === userOpHash)?.origin
