import { type AccountRow, type CredentialRow, type Database, isUniqueViolation } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { toStoredDeployment } from '../../../domain/accounts/accounts/stored-deployment.ts'
import type { Difference } from './difference.ts'
import type { Initializer } from './find-initializer.ts'

type Repair = NonNullable<Difference['repair']>

/** The columns that determine the address. */
export function initializerColumns({ owner }: Initializer) {
  const passkey = owner.kind === 'passkey' ? owner : undefined
  return {
    eoa_address: owner.kind === 'eoa' ? owner.address.toLowerCase() : null,
    passkey_x: passkey?.x ?? null,
    passkey_y: passkey?.y ?? null,
    passkey_verifiers: passkey?.verifiers ?? null,
  }
}

/** Writes the values that an account was created with. */
export function repairInitializer(row: AccountRow, initializer: Initializer): Repair {
  return (database) =>
    whereFree(async () => {
      const { numUpdatedRows } = await database
        .updateTable('accounts')
        .set({
          ...initializerColumns(initializer),
          deployment: JSON.stringify(toStoredDeployment(initializer.deployment)),
        })
        .where('address', '=', row.address)
        .where('eoa_address', 'is not distinct from', row.eoa_address)
        .where('passkey_x', 'is not distinct from', row.passkey_x)
        .where('passkey_y', 'is not distinct from', row.passkey_y)
        .where('passkey_verifiers', 'is not distinct from', row.passkey_verifiers)
        .where('deployment', '=', sql`${JSON.stringify(row.deployment)}::jsonb`)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    })
}

/** Records which owner of the account a passkey is. */
export function repairCredential(
  row: CredentialRow,
  values: Partial<Pick<CredentialRow, 'first_owner' | 'verifiers'>>,
): Repair {
  return (database: Kysely<Database>) =>
    whereFree(async () => {
      const { numUpdatedRows } = await database
        .updateTable('credentials')
        .set(values)
        .where('id', '=', row.id)
        .where('first_owner', '=', row.first_owner)
        .where('verifiers', '=', row.verifiers)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    })
}

/** False when another row claims the same value: that one has to be repaired first. */
async function whereFree(update: () => Promise<boolean>): Promise<boolean> {
  try {
    return await update()
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}
