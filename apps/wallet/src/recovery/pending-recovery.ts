import { toOwner } from '@lanyard/accounts'
import { getAddress, isAddress, isHex } from 'viem'
import type { RecoveryRequest } from './recovery-link.ts'

/** A recovery that was begun in this browser, with its new passkey. */
export interface PendingRecovery extends RecoveryRequest {
  readonly username: string
  readonly credentialId: string
}

const key = 'lanyard.recovery'

/** Stores it, since the guardians take hours and the delay takes days. It holds nothing secret. */
export function storePendingRecovery(pending: PendingRecovery | undefined): void {
  try {
    if (!pending) {
      localStorage.removeItem(key)
      return
    }
    const { username, account, credentialId, newOwner } = pending
    const [x, y] = [newOwner.x, newOwner.y].map((value) => `0x${value.toString(16)}`)
    localStorage.setItem(key, JSON.stringify({ username, account, credentialId, x, y }))
  } catch {
    // Storage is blocked: the page must stay open.
  }
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
