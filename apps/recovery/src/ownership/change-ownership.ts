import {
  type AccountOwner,
  type Call,
  encodeApplyChange,
  encodeExecuteRecovery,
  encodeInitCode,
  encodeOwnerChange,
  encodeStartRecovery,
  getGuardianSetHash,
  getRecoveryHash,
  ownerAddresses,
  ownerChangeTypedData,
  toSafeTransaction,
} from '@lanyard/accounts'
import { type Address, type Hash, isAddressEqual, slice } from 'viem'
import type { Payer } from '../payer/payer.ts'
import { RecoveryError } from '../recovery-error.ts'
import { sendAndWait } from '../send/send-transaction.ts'
import type { OwnerSigner } from '../signers/owner-signer.ts'
import { timeInWords } from '../words.ts'
import type { OwnershipView } from './read-ownership.ts'
import type { SignedChange, SignedRecovery } from './signed-messages.ts'

/** The changes that are next on this network, without a gap. */
export function nextChanges(
  { sequence }: OwnershipView,
  changes: readonly SignedChange[],
): readonly SignedChange[] {
  const later = changes.filter((change) => change.sequence >= sequence)
  return later.filter((change, index) => change.sequence === sequence + BigInt(index))
}

/**
 * Applies signed changes on one network. An account that is not deployed there is deployed in the same transaction:
 * otherwise a first key that was removed elsewhere could act in between.
 *
 * @throws RecoveryError OTHER_SEQUENCE, FAILED
 */
export async function applyChanges(
  view: OwnershipView,
  payer: Payer,
  changes: readonly SignedChange[],
): Promise<Hash> {
  const next = nextChanges(view, changes)
  if (next.length === 0) throw otherSequence(view)
  const calls = next.map(({ change, signature, sequence }) =>
    encodeApplyChange(change, signature, contextOf(view, sequence)),
  )
  return sendCalls(view, payer, calls)
}

/**
 * Starts a recovery on one network.
 *
 * @throws RecoveryError OTHER_SEQUENCE, OTHER_GUARDIANS, RECOVERY_REPLACED, FAILED
 */
export async function startRecovery(
  view: OwnershipView,
  payer: Payer,
  { sequence, number, newOwners, guardians, signatures }: SignedRecovery,
): Promise<Hash> {
  if (view.sequence !== sequence) throw otherSequence(view)
  if (view.number >= number) {
    throw new RecoveryError(
      'RECOVERY_REPLACED',
      'Guardians have started or taken back a recovery with this number or a higher one. They sign one with the next number.',
    )
  }
  if (getGuardianSetHash(guardians) !== view.guardians) {
    throw new RecoveryError('OTHER_GUARDIANS', 'These are not the guardians in force on this network.')
  }
  return sendCalls(view, payer, [
    encodeStartRecovery(newOwners, guardians, signatures, { ...contextOf(view, sequence), number }),
  ])
}

/** Where a recovery stands on one network. */
export type RecoveryProgress =
  | 'waiting'
  | 'pending'
  | 'running'
  | 'ready'
  | 'other-running'
  | 'executed'
  | 'over'

/**
 * `waiting`: an earlier change is missing. `pending`: it can be started. `executed`: its owners are the only ones.
 * `over`: an owner's change took its place, or changed the owners since, or its guardians took it back, or it has lapsed.
 */
export function progressOf(
  view: OwnershipView,
  { sequence, number, newOwners }: SignedRecovery,
): RecoveryProgress {
  if (view.sequence > sequence) return isOwnedBy(view, newOwners) ? 'executed' : 'over'
  if (view.sequence < sequence) return 'waiting'
  if (view.number < number) return 'pending'
  if (!view.running) return 'over'
  const hash = getRecoveryHash(newOwners, { ...contextOf(view, sequence), number })
  if (view.running.hash !== hash) return 'other-running'
  return view.now < view.running.readyAt ? 'running' : 'ready'
}

/** Whether these are the only owners. A passkey owns by its signer contract, the first one by the shared signer. */
function isOwnedBy({ kit, state }: OwnershipView, owners: readonly AccountOwner[]): boolean {
  const actual = [...state.eoas, ...state.contracts]
  const owns = (owner: AccountOwner) =>
    ownerAddresses(owner, kit.deployment).some((address) => includes(actual, address))
  return actual.length === owners.length && owners.every(owns)
}

const includes = (list: readonly Address[], address: Address) =>
  list.some((item) => isAddressEqual(item, address))

/**
 * Executes a recovery on one network after its delay.
 *
 * @throws RecoveryError NO_RECOVERY, NOT_READY, FAILED
 */
export async function executeRecovery(
  view: OwnershipView,
  payer: Payer,
  recovery: SignedRecovery,
): Promise<Hash> {
  const progress = progressOf(view, recovery)
  if (progress === 'running') {
    const readyAt = timeInWords(view.running?.readyAt ?? 0)
    throw new RecoveryError('NOT_READY', `The recovery can be executed from ${readyAt} on.`)
  }
  if (progress !== 'ready') throw new RecoveryError('NO_RECOVERY', 'This recovery does not run here.')
  return sendCalls(view, payer, [encodeExecuteRecovery(recovery.newOwners, contextOf(view, view.sequence))])
}

/**
 * An owner signs that the running recovery ends. The signature holds on every network with the same sequence.
 *
 * @throws RecoveryError NOT_AN_OWNER, UNUSABLE_ASSERTION
 */
export async function signCancellation(view: OwnershipView, signer: OwnerSigner): Promise<SignedChange> {
  const { connection, kit, state, sequence } = view
  const change = { kind: 'cancel' } as const
  const signature = await signer.sign({
    client: connection.client,
    account: kit.account,
    state,
    message: ownerChangeTypedData(change, contextOf(view, sequence)),
  })
  return { sequence, change, signature }
}

/** A change as the service returns it and {@link readSignedMessages} reads it. */
export function formatChange({ sequence, change, signature }: SignedChange): string {
  const fields = { sequence: String(sequence), ...encodeOwnerChange(change), signature }
  return JSON.stringify(fields, null, 2)
}

const contextOf = ({ module, kit }: OwnershipView, sequence: bigint) => ({
  module,
  account: kit.account,
  sequence,
})

const otherSequence = ({ sequence }: OwnershipView) =>
  new RecoveryError(
    'OTHER_SEQUENCE',
    `The next change on this network has sequence ${sequence}. What you entered is for another one.`,
  )

/** The module does not ask who calls it. MultiSendCallOnly makes several calls, all or none. */
function sendCalls({ connection, kit, state }: OwnershipView, payer: Payer, calls: readonly Call[]) {
  const initCode = encodeInitCode(kit.owner, kit.deployment)
  const deploy = { to: slice(initCode, 0, 20), value: 0n, data: slice(initCode, 20) }
  const { to, data } = toSafeTransaction(state.deployed ? calls : [deploy, ...calls], 0n, kit.deployment)
  return sendAndWait(connection, payer, { to, data })
}
