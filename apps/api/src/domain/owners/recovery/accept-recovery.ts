import {
  type AccountOwner,
  type GuardianSet,
  getCancelRecoveryHash,
  getRecoveryHash,
  getRecoveryResultHash,
  type PasskeyOwner,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { type Address, type Hash, type Hex, isAddressEqual } from 'viem'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { findGuardianPasskey, requireSignerOf } from '../guardians/guardian-passkey.ts'
import { networksOf } from '../ownership/read-ownership.ts'
import { listSignedChanges } from '../ownership/signed-change.ts'
import { asInvalidInput, nextSequence } from '../ownership/to-owner-change.ts'
import {
  type GuardianState,
  keepGuardians,
  readGuarded,
  requireGuarded,
  withGuardiansAt,
} from './guardian-sets.ts'
import { checkSignature } from './guardian-signature.ts'
import { keepSignature } from './keep-signature.ts'
import { listMessages } from './list-messages.ts'
import { listGuardianMessages } from './recovery.ts'
import { highestNumber } from './recovery-number.ts'
import { nextHead } from './recovery-outcome.ts'

/** Recoveries, and cancellations, of one sequence: each that enough guardians signed is kept, and no network has to get it. */
const maxOfSequence = 64

export interface GuardianSigned {
  readonly sequence: bigint
  readonly number: bigint
  /** Undefined: the guardian takes back every recovery up to the number. */
  readonly newOwners: readonly AccountOwner[] | undefined
  readonly guardian: Address
  readonly signature: Hex
  /** Where the guardian's contract accepts it; undefined: to be found out. */
  readonly chainId: number | undefined
  /** The passkey whose signer contract the guardian is; undefined: one that this service knows, or none. */
  readonly key: PasskeyOwner | undefined
  /** The guardians in force, if this service does not know them. */
  readonly guardians: GuardianSet | undefined
  /** Whose budget pays for the recovery, if it is the first signature. */
  readonly sentBy: string
}

/**
 * Accepts a guardian's signature over a recovery, or over taking recoveries back: sequence and number are the account's
 * next ones, the guardian is in force, and the signature is valid, each as the networks say.
 *
 * @throws NO_GUARDIANS, UNKNOWN_GUARDIANS, NOT_A_GUARDIAN, STALE_RECOVERY, OTHER_RECOVERY_SIGNED, INVALID_SIGNATURE,
 * INVALID_INPUT, UNKNOWN_NETWORK, NETWORK_UNAVAILABLE
 */
export async function acceptRecovery(
  services: { readonly database: Kysely<Database>; readonly networks: Networks; readonly now: () => Date },
  module: Address,
  wallet: Wallet,
  signed: GuardianSigned,
): Promise<void> {
  const { database, networks, now } = services
  const { address: account } = wallet
  const { sequence, number, newOwners, guardian, signature, chainId } = signed
  const context = { module, account, sequence, number }
  const hash = asInvalidInput('newOwners', () =>
    newOwners ? getRecoveryHash(newOwners, context) : getCancelRecoveryHash(context),
  )
  const answers = await readGuarded(services, module, wallet, signed.guardians)
  const guarded = requireGuarded(answers)
  const counting = withGuardiansAt(guarded, sequence, await listSignedChanges(database, account))
  if (counting.length === 0) throw new LanyardError('STALE_RECOVERY')
  requireGuardian(counting, guardian)
  if (signed.key) requireSignerOf(guardian, signed.key)

  const messages = await listGuardianMessages(database, account)
  const known = messages.find((message) => message.hash === hash)
  const isNext = known
    ? guarded.some(({ state }) => state.sequence <= sequence)
    : number === highestNumber(sequence, answers, messages) + 1n &&
      (await nextSequence(services, module, wallet)) === sequence
  if (!isNext) throw new LanyardError('STALE_RECOVERY')
  const ofKind = messages.filter(
    (message) =>
      message.sequence === sequence && (message.target === undefined) === (newOwners === undefined),
  )
  if (!known && ofKind.length >= maxOfSequence) {
    throw new LanyardError('STALE_RECOVERY', {
      message: `Guardians signed ${maxOfSequence} others of this sequence here. Any change of an owner begins the next sequence.`,
    })
  }
  const key = signed.key ?? (await findGuardianPasskey(database, guardian))
  const signatures = await checkSignature(networks, module, { guardian, hash, signature, chainId, key })
  await keepGiven(database, account, { guarded, given: signed.guardians, now: now() })
  const head = known?.head ?? (await headAt(database, account, { guarded, sequence }))
  const target = newOwners && {
    ...{ newOwners, newThreshold: 1n },
    result: getRecoveryResultHash(newOwners, context),
  }
  await keepSignature(
    database,
    { account, hash, sequence, number, target, head, sentBy: signed.sentBy, createdAt: now() },
    signatures,
    { guarded: counting, networks: networksOf(networks, module), now: now() },
  )
}

function requireGuardian(guarded: readonly GuardianState[], guardian: Address) {
  const sets = guarded.flatMap(({ guardians }) => guardians ?? [])
  if (sets.length === 0) throw new LanyardError('UNKNOWN_GUARDIANS')
  const isOne = sets.some(({ members }) => members.some((member) => isAddressEqual(member, guardian)))
  if (!isOne) throw new LanyardError('NOT_A_GUARDIAN')
}

/** Guardians that a request named, once a network confirms them: later ones need not name them again. */
async function keepGiven(
  database: Kysely<Database>,
  account: Address,
  {
    guarded,
    given,
    now,
  }: {
    readonly guarded: readonly GuardianState[]
    readonly given: GuardianSet | undefined
    readonly now: Date
  },
) {
  if (!given) return
  const inForce = guarded.find(({ guardians }) => guardians !== undefined)?.guardians
  if (inForce) await keepGuardians(database, account, inForce, now)
}

/** The account's head once all changes before a sequence are applied. */
async function headAt(
  database: Kysely<Database>,
  account: Address,
  {
    guarded,
    sequence,
  }: { readonly guarded: readonly [GuardianState, ...GuardianState[]]; readonly sequence: bigint },
): Promise<Hash> {
  const [{ state }] = guarded
  // Only what is known: the account chooses how far apart the sequences are (`resync`).
  const between = (await listMessages(database, account))
    .filter((message) => message.sequence >= state.sequence && message.sequence < sequence)
    .sort((a, b) => Number(a.sequence - b.sequence))
  let { head } = state
  let last: bigint | undefined
  for (const message of between) {
    if (message.sequence !== last) head = nextHead(head, message.hash)
    last = message.sequence
  }
  return head
}
