import { fromModulePasskey, type PasskeyOwner, toModuleOwner } from '@lanyard/accounts'
import { type Address, getAddress, isAddress, isHex } from 'viem'

/** What somebody who lost their passkeys asks their guardians for. It is public. */
export interface RecoveryRequest {
  readonly account: Address
  /** The only owner after the recovery. */
  readonly newOwner: PasskeyOwner
}

/** The link that guardians open: the account, and the key of the new passkey. */
export const recoveryLink = ({ account, newOwner }: RecoveryRequest): string =>
  `${location.origin}/guardian#${new URLSearchParams({ account, key: toModuleOwner(newOwner).key })}`

/** Reads the part of a link after `#`. Undefined if it is no request, or its key is no passkey's. */
export function readRecoveryLink(hash: string): RecoveryRequest | undefined {
  const link = new URLSearchParams(hash.replace(/^#/, ''))
  const account = link.get('account') ?? ''
  const key = link.get('key')
  if (!isAddress(account, { strict: false }) || !isHex(key)) return undefined
  try {
    return { account: getAddress(account), newOwner: fromModulePasskey(key) }
  } catch {
    return undefined
  }
}
