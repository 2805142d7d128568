import { toWireUserOperation, type UserOperation } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import { type AnyWallet, accountOf } from '../../domain/accounts/accounts/wallet.ts'

/**
 * Milliseconds within which an operation can still be sent if it is unsigned, or was rejected before it was sent.
 */
const lifetime = 10 * 60_000

/** The columns of an operation that another client built, without those that depend on its signature. */
export function toOperationRow(operation: UserOperation, wallet: AnyWallet, network: Network, now: Date) {
  const decoded = accountOf(wallet).decodeCalls(operation.callData)
  return {
    account: wallet.address.toLowerCase(),
    network: network.chainId,
    entry_point: wallet.deployment.entryPoint.toLowerCase(),
    nonce_key: operation.nonce >> 64n,
    nonce_sequence: operation.nonce & (2n ** 64n - 1n),
    user_op: toWireUserOperation(operation),
    value: decoded.ok ? decoded.calls.reduce((sum, { value }) => sum + value, 0n) : 0n,
    deploys: operation.initCode !== '0x',
    replaces: null,
    state: 'built' as const,
    built_at: now,
    build_expires_at: new Date(now.getTime() + lifetime),
  }
}
