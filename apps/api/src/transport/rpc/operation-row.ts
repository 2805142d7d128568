import { toWireUserOperation, type UserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { type Database, insertBuild, lockAccount, type NewOperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Transaction } from 'kysely'
import type { Hex } from 'viem'
import { type AnyWallet, accountOf } from '../../domain/accounts/accounts/wallet.ts'
import type { OperationDependencies } from '../../domain/operations/dependencies.ts'
import { type NonceUse, readNonceUse } from '../../domain/operations/nonces.ts'
import { bytesOfBuild } from '../../domain/operations/prepare/build-operation.ts'
import { currentMeter } from '../../platform/log/current-request.ts'

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

/**
 * Writes the row of an operation whose nonce another client chose. It must not use the nonce keys of open
 * orders and of sessions.
 *
 * @param check - rejects according to the recorded use of the account's nonces
 * @throws OPERATION_IN_FLIGHT; RATE_LIMITED when the caller's builds take too much space
 */
export async function insertOperation(
  transaction: Transaction<Database>,
  { features: { nonceHolders }, now: clock }: Pick<OperationDependencies, 'features' | 'now'>,
  row: NewOperationRow,
  check: (use: NonceUse) => void = () => {},
): Promise<void> {
  const { account, network } = row
  const { callData } = row.user_op as { readonly callData: Hex } // the service's own JSON form
  const bytes = bytesOfBuild([callData])
  currentMeter()?.reserveSpace('builds', bytes).charge(bytes)
  await lockAccount(transaction, account)
  const key = BigInt(row.nonce_key)
  const builtBy = row.built_by ?? ''
  const use = await readNonceUse(transaction, { nonceHolders, account, network, builtBy, now: clock() })
  check(use)
  const session = await transaction
    .selectFrom('operations')
    .select('user_op_hash')
    .where('account', '=', account)
    .where('network', '=', network)
    .where('nonce_key', '=', key)
    .where('sign_mode', '=', 'SESSION_KEY')
    .executeTakeFirst()
  if (use.promised.has(key) || session) {
    throw new LanyardError('OPERATION_IN_FLIGHT', {
      message: 'This nonce key belongs to an open order or a session. Use another one.',
    })
  }
  await insertBuild(transaction, row)
}
