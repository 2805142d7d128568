import { fromModulePasskey, type PasskeyOwner, toModuleOwner, toOwner } from '@lanyard/accounts'
import { writeStored } from '@lanyard/ui'
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

/** A recovery that was begun in this browser, with its new passkey. */
export interface PendingRecovery extends RecoveryRequest {
  readonly username: string
  readonly credentialId: string
}

const key = 'lanyard.recovery'

/** Stores it, since the guardians take hours and the delay takes days. It holds nothing secret. */
export function storePendingRecovery(pending: PendingRecovery | undefined): void {
  if (!pending) {
    writeStored(key, undefined)
    return
  }
  const { username, account, credentialId, newOwner } = pending
  const [x, y] = [newOwner.x, newOwner.y].map((value) => `0x${value.toString(16)}`)
  writeStored(key, { username, account, credentialId, x, y })
}

/** The recovery that was begun in this browser. */
export function readPendingRecovery(): PendingRecovery | undefined {
  try {
    const stored: Readonly<Record<string, unknown>> = JSON.parse(localStorage.getItem(key) ?? 'null') ?? {}
    const { username, account, credentialId, x, y } = stored
    if (typeof username !== 'string' || typeof credentialId !== 'string') return undefined
    if (typeof account !== 'string' || !isAddress(account) || !isHex(x) || !isHex(y)) return undefined
    return { username, credentialId, account: getAddress(account), newOwner: toOwner({ x, y }) }
  } catch {
    return undefined // storage is blocked, or has other content
  }
}
