import { AccountsError, decodeOwnerChange, encodeOwnerChange, ownerChangeTypedData } from '@lanyard/accounts'
import type { Database } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { type Address, type Hex, hashTypedData } from 'viem'
import { keepSignedChange } from '../ownership/signed-change.ts'
import { isExecuted } from './is-executed.ts'

/** A change in a final block of a network, as the module's log has it. */
export interface AppliedChange {
  readonly account: Address
  readonly sequence: bigint
  readonly kind: Hex
  readonly data: Hex
  readonly signature: Hex
}

/** Whose budget pays on the other networks: one for all that this service did not see signed. */
export const signedElsewhere = 'elsewhere'

/**
 * Takes a change into this service's log that was applied on a network, whoever sent it, so that the other networks get
 * it. The module checked the signature.
 *
 * @returns `split` if other networks have, or get, another message of this sequence
 */
export async function importChange(
  { database, networks, now }: ImportDependencies,
  module: Address,
  { account, sequence, kind, data, signature }: AppliedChange,
): Promise<'kept' | 'split' | 'unreadable'> {
  if (!isCanonical({ kind, data })) return 'unreadable'
  const typedData = ownerChangeTypedData(decodeOwnerChange({ kind, data }), { module, account, sequence })
  const hash = hashTypedData(typedData)
  if (await isExecuted(database, account, sequence)) return 'split'
  const kept = await keepSignedChange(
    database,
    account,
    { sequence, kind, data, signature, hash, sentBy: signedElsewhere },
    {
      networks: networks
        .list()
        .flatMap(({ chainId, config }) => (config.ownership === module ? [chainId] : [])),
      now: now(),
    },
  )
  return kept.hash === hash ? 'kept' : 'split'
}

export interface ImportDependencies {
  readonly database: Kysely<Database>
  readonly networks: Networks
  readonly now: () => Date
}

/** Whether this service encodes the change as it was signed, so that both have one hash. */
function isCanonical(change: Pick<AppliedChange, 'kind' | 'data'>): boolean {
  try {
    const { kind, data } = encodeOwnerChange(decodeOwnerChange(change))
    return kind === change.kind && data === change.data
  } catch (error) {
    if (error instanceof AccountsError) return false
    throw error
  }
}
