import { type AccountOwner, fromModuleOwner, type PasskeyOwner, toModuleOwner } from '@lanyard/accounts'
import type { Database } from '@lanyard/database'
import type { Kysely, Selectable } from 'kysely'
import { type Address, decodeAbiParameters, encodeAbiParameters, getAddress, type Hash, type Hex } from 'viem'
import { decodeGuardianPasskey } from '../guardians/guardian-passkey.ts'

/** A recovery that a guardian signed at this service. */
export interface Recovery {
  readonly account: Address
  /** What guardians sign. */
  readonly hash: Hash
  readonly sequence: bigint
  readonly newOwners: readonly AccountOwner[]
  /** The account's head at that sequence. */
  readonly head: Hash
  readonly sentBy: string
  readonly createdAt: Date
}

/** A guardian's signature. */
export interface KeptSignature {
  readonly guardian: Address
  readonly signature: Hex
  /** Where its contract accepted it; 0 for a key or a passkey, whose signature holds everywhere. */
  readonly network: number
  /** The passkey, if the guardian is its signer contract: the contract can be created where it is missing. */
  readonly key?: PasskeyOwner | undefined
}

const ownersParameter = {
  type: 'tuple[]',
  components: [
    { name: 'kind', type: 'uint8' },
    { name: 'key', type: 'bytes' },
  ],
} as const

export const encodeOwners = (owners: readonly AccountOwner[]): Hex =>
  encodeAbiParameters([ownersParameter], [owners.map(toModuleOwner)])

const decodeOwners = (encoded: Hex): AccountOwner[] =>
  decodeAbiParameters([ownersParameter], encoded)[0].map(fromModuleOwner)

export const toRecovery = (row: Selectable<Database['recoveries']>): Recovery => ({
  account: getAddress(row.account),
  // The columns hold what was encoded here.
  hash: row.hash as Hash,
  sequence: row.sequence,
  newOwners: decodeOwners(row.new_owners as Hex),
  head: row.head as Hash,
  sentBy: row.sent_by,
  createdAt: row.created_at,
})

/** The recoveries of an account, newest first. */
export async function listRecoveries(
  database: Kysely<Database>,
  account: Address,
): Promise<readonly Recovery[]> {
  const rows = await database
    .selectFrom('recoveries')
    .selectAll()
    .where('account', '=', account.toLowerCase())
    .orderBy('sequence', 'desc')
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(toRecovery)
}

/** The signatures over the recoveries of an account, by recovery. */
export async function listSignatures(
  database: Kysely<Database>,
  account: Address,
): Promise<ReadonlyMap<string, readonly KeptSignature[]>> {
  const rows = await database
    .selectFrom('recovery_signatures')
    .selectAll()
    .where('account', '=', account.toLowerCase())
    .orderBy('created_at')
    .execute()
  const signatures = rows.map(({ hash, guardian, network, signature, key }) => ({
    ...{ hash, network, guardian: getAddress(guardian), key: decodeGuardianPasskey(key) },
    signature: signature as Hex, // checked when it was kept
  }))
  return Map.groupBy(signatures, ({ hash }) => hash)
}
