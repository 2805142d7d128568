import { type Database, findAccount } from '@lanyard/database'
import { type OrderSigner, signerId } from '@lanyard/smart-balance'
import type { Kysely } from 'kysely'
import type { Hex } from 'viem'
import { toWallet } from '../../accounts/accounts/wallet.ts'
import { toPasskeyKey } from '../../accounts/owners/passkey-signers.ts'
import { listCredentials } from '../../accounts/passkeys/credentials.ts'

/**
 * Ids of the signers that could debit an account, as far as this service knows: the first owner and the
 * passkeys.
 */
export async function findKnownSigners(database: Kysely<Database>, account: string): Promise<Hex[]> {
  const row = await findAccount(database, account)
  if (!row) return []
  const credentials = await listCredentials(database, row.user_id)
  const passkeys = credentials.map((row) => ({ kind: 'passkey', ...toPasskeyKey(row) }) as const)
  const signers: OrderSigner[] = [toWallet(row).owner, ...passkeys]
  return [...new Set(signers.map(signerId))]
}
