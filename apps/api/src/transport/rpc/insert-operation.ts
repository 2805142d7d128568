import { LanyardError } from '@lanyard/contracts'
import { type Database, insertBuild, type NewOperationRow } from '@lanyard/database'
import type { Transaction } from 'kysely'
import type { Hex } from 'viem'
import { lockAccount } from '../../domain/accounts/accounts/lock-account.ts'
import type { OperationDependencies } from '../../domain/operations/dependencies.ts'
import { type NonceUse, readNonceUse } from '../../domain/operations/nonces.ts'
import { bytesOfBuild } from '../../domain/operations/prepare/build-operation.ts'
import { currentMeter } from '../../platform/log/current-request.ts'

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
