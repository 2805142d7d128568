import { LanyardError } from '@lanyard/contracts'
import { type Database, lockAccount } from '@lanyard/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import { isAddressEqual } from 'viem'
import { encodeGuardianPasskey } from '../guardians/guardian-passkey.ts'
import { addProgress } from '../messages/message-progress.ts'
import { takesOver } from '../ownership/change-budget.ts'
import { reserveSigned } from '../reserve-signed.ts'
import type { GuardianState } from './guardian-sets.ts'
import { signedGuardians } from './guardian-signature.ts'
import {
  encodeOwners,
  type GuardianMessage,
  listGuardianMessages,
  listSignatures,
  type StoredSignature,
} from './recovery.ts'
import { isSuperseded } from './recovery-outcome.ts'
import { chargeForSteps } from './step-gas.ts'

/**
 * Keeps a guardian's signatures over a message, in one transaction with what follows: a lower one that the guardian signed
 * before, and that too few signed, counts no more, and as soon as enough guardians signed, the networks are due. So an
 * account keeps at most as many signatures as it has guardians and networks, besides messages that are complete. What counts
 * no more does not come back: the signature is no secret, and the guardian replaced it.
 *
 * @param guarded - the account on the networks, with its guardians
 * @param networks - all that have the module, also those that did not answer
 * @param isAccepted - a network has accepted the signatures already
 * @throws OTHER_RECOVERY_SIGNED if enough guardians signed a message of the same or a higher number, STALE_RECOVERY if the
 * guardian signed one, or an owner a change of this sequence; RATE_LIMITED
 */
export async function keepSignature(
  database: Kysely<Database>,
  recovery: GuardianMessage,
  signatures: readonly StoredSignature[],
  {
    guarded,
    networks,
    now,
    isAccepted = false,
  }: {
    readonly guarded: readonly GuardianState[]
    readonly networks: readonly number[]
    readonly now: Date
    readonly isAccepted?: boolean
  },
): Promise<void> {
  const { account, hash, sequence, number, target } = recovery
  const key = account.toLowerCase()
  await database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, key)
    await requireCurrent(transaction, recovery)
    const known = await listSignatures(transaction, account)
    const messages = await listGuardianMessages(transaction, account)
    const others = messages.filter((other) => other.sequence === sequence && other.hash !== hash)
    const isSigned = (other: GuardianMessage) => isComplete(known.get(other.hash) ?? [], guarded)
    if (others.some((other) => other.number >= number && isSigned(other))) {
      throw new LanyardError('OTHER_RECOVERY_SIGNED')
    }
    const guardians = [...new Set(signatures.map(({ guardian }) => guardian.toLowerCase()))]
    const isBySame = ({ hash: other }: GuardianMessage) =>
      (known.get(other) ?? []).some(({ guardian }) => guardians.includes(guardian.toLowerCase()))
    // What a network has accepted counts there.
    if (!isAccepted && others.some((other) => other.number >= number && isBySame(other))) {
      throw new LanyardError('STALE_RECOVERY', {
        message: 'This guardian has signed another recovery since, which replaces this signature.',
      })
    }
    // Nothing is new, so nothing is due.
    const isKept = signatures.every((one) => (known.get(hash) ?? []).some((kept) => isSame(one, kept)))
    if (isKept && messages.some((message) => message.hash === hash && message.isComplete)) return
    for (const other of others) {
      if (other.number <= number && !isSigned(other)) {
        await withdraw(transaction, { key, hash: other.hash, guardians })
      }
    }

    const newOwners = target ? encodeOwners(target.newOwners) : null
    reserveSigned([newOwners ?? '', ...signatures.map(({ signature }) => signature)], networks.length)
    await transaction
      .insertInto('recoveries')
      .values({
        ...{ account: key, hash, sequence, number, head: recovery.head, sent_by: recovery.sentBy },
        new_owners: newOwners,
        new_threshold: target?.newThreshold ?? null,
        result: target?.result ?? null,
        ...{ created_at: now, complete_at: null },
      })
      .onConflict((conflict) =>
        !isAccepted && takesOver(recovery.sentBy)
          ? conflict.columns(['account', 'hash']).doUpdateSet({ sent_by: recovery.sentBy })
          : conflict.doNothing(),
      )
      .execute()
    for (const { guardian, network, signature, key: passkey } of signatures) {
      await transaction
        .insertInto('recovery_signatures')
        .values({
          ...{ account: key, hash, guardian: guardian.toLowerCase(), network, signature },
          ...{ key: passkey ? encodeGuardianPasskey(passkey) : null, created_at: now },
        })
        .onConflict((conflict) =>
          conflict.columns(['account', 'hash', 'guardian', 'network']).doUpdateSet({ signature }),
        )
        .execute()
    }
    const all = (await listSignatures(transaction, account)).get(hash) ?? []
    if (isAccepted || isComplete(all, guarded)) await makeComplete(transaction, recovery, { networks, now })
  })
}

/** An owner's change of the same sequence cancels what guardians sign. */
async function requireCurrent(transaction: Transaction<Database>, { account, sequence }: GuardianMessage) {
  if (await isSuperseded(transaction, account, sequence)) throw new LanyardError('STALE_RECOVERY')
}

const isSame = (a: StoredSignature, b: StoredSignature) =>
  isAddressEqual(a.guardian, b.guardian) && a.network === b.network && a.signature === b.signature

/** Whether enough guardians in force signed for one network at least. */
const isComplete = (signatures: readonly StoredSignature[], guarded: readonly GuardianState[]) =>
  guarded.some(
    ({ network, guardians }) =>
      guardians && signedGuardians(guardians, signatures, network.chainId).length >= guardians.threshold,
  )

async function withdraw(
  transaction: Transaction<Database>,
  { key, hash, guardians }: { readonly key: string; readonly hash: string; readonly guardians: string[] },
) {
  await transaction
    .deleteFrom('recovery_signatures')
    .where('account', '=', key)
    .where('hash', '=', hash)
    .where('guardian', 'in', guardians)
    .execute()
  const isUnsigned = sql<boolean>`not exists (
    select from recovery_signatures as kept where kept.account = ${key} and kept.hash = ${hash}
  )`
  for (const table of ['message_progress', 'recoveries'] as const) {
    await transaction
      .deleteFrom(table)
      .where('account', '=', key)
      .where('hash', '=', hash)
      .where(isUnsigned)
      .execute()
  }
}

async function makeComplete(
  transaction: Transaction<Database>,
  { account, hash, target }: GuardianMessage,
  { networks, now }: { readonly networks: readonly number[]; readonly now: Date },
) {
  const key = account.toLowerCase()
  await transaction
    .updateTable('recoveries')
    .set({ complete_at: now })
    .where('account', '=', key)
    .where('hash', '=', hash)
    .where('complete_at', 'is', null)
    .execute()
  if (networks.length === 0) return
  const kind = target ? 'recovery' : 'cancellation'
  await addProgress(transaction, { account, hash, kind }, { networks, now })
  chargeForSteps(networks.length)
}
