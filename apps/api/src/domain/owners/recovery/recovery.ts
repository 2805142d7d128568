import { type AccountOwner, fromModuleOwner, type PasskeyOwner, toModuleOwner } from '@lanyard/accounts'
import type { Database } from '@lanyard/database'
import type { Kysely, Selectable } from 'kysely'
import { type Address, decodeAbiParameters, encodeAbiParameters, getAddress, type Hash, type Hex } from 'viem'
import { decodeGuardianPasskey } from '../guardians/guardian-passkey.ts'

/** What guardians signed at this service: a recovery, or that they take recoveries back. */
export interface GuardianMessage {
  readonly account: Address
  /** What guardians sign. */
  readonly hash: Hash
  readonly sequence: bigint
  /** Of the messages of this sequence; a higher one replaces what a lower one started. */
  readonly number: bigint
  /** Undefined if it takes recoveries back. */
  readonly target: RecoveryTarget | undefined
  /** The account's head at that sequence. */
  readonly head: Hash
  readonly sentBy: string
  readonly createdAt: Date
  /** Whether enough guardians have signed it for one network. */
  readonly isComplete?: boolean
}

interface RecoveryTarget {
  readonly newOwners: readonly AccountOwner[]
  readonly newThreshold: bigint
  /** What the execution adds to the head. */
  readonly result: Hash
}

/** A recovery that a guardian signed at this service. */
export type Recovery = GuardianMessage & { readonly target: RecoveryTarget }

export const isRecovery = (message: GuardianMessage): message is Recovery => message.target !== undefined

/** A guardian's signature. */
export interface StoredSignature {
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

const toGuardianMessage = (row: Selectable<Database['recoveries']>): GuardianMessage => ({
  account: getAddress(row.account),
  // The columns hold what was encoded here.
  hash: row.hash as Hash,
  sequence: row.sequence,
  number: row.number,
  target: toTarget(row),
  head: row.head as Hash,
  sentBy: row.sent_by,
  createdAt: row.created_at,
  isComplete: row.complete_at !== null,
})

function toTarget({ new_owners, new_threshold, result }: Selectable<Database['recoveries']>) {
  if (new_owners === null || new_threshold === null || result === null) return undefined
  const newOwners = decodeOwners(new_owners as Hex) // encoded here, as is the hash
  return { newOwners, newThreshold: new_threshold, result: result as Hash }
}

/** What is read of an account: more than one sequence has, and an account decides how many sequences it has. */
const maxRead = 256

/** What guardians of an account signed, newest first. */
export async function listGuardianMessages(
  database: Kysely<Database>,
  account: Address,
): Promise<readonly GuardianMessage[]> {
  const rows = await database
    .selectFrom('recoveries')
    .selectAll()
    .where('account', '=', account.toLowerCase())
    .orderBy('sequence', 'desc')
    .orderBy('number', 'desc')
    .orderBy('created_at', 'desc')
    .limit(maxRead)
    .execute()
  return rows.map(toGuardianMessage)
}

/** The recoveries of an account, newest first. */
export const listRecoveries = async (
  database: Kysely<Database>,
  account: Address,
): Promise<readonly Recovery[]> => (await listGuardianMessages(database, account)).filter(isRecovery)

/** The signatures over what {@link listGuardianMessages} reads, by hash. */
export async function listSignatures(
  database: Kysely<Database>,
  account: Address,
): Promise<ReadonlyMap<string, readonly StoredSignature[]>> {
  const rows = await database
    .selectFrom('recovery_signatures')
    .selectAll()
    .where('account', '=', account.toLowerCase())
    .where('hash', 'in', (eb) =>
      eb
        .selectFrom('recoveries')
        .select('hash')
        .where('account', '=', account.toLowerCase())
        .orderBy('sequence', 'desc')
        .orderBy('number', 'desc')
        .orderBy('created_at', 'desc')
        .limit(maxRead),
    )
    .orderBy('created_at')
    .execute()
  const signatures = rows.map(({ hash, guardian, network, signature, key }) => ({
    ...{ hash, network, guardian: getAddress(guardian), key: decodeGuardianPasskey(key) },
    signature: signature as Hex, // checked when it was kept
  }))
  return Map.groupBy(signatures, ({ hash }) => hash)
}
