import {
  AccountsError,
  decodeOwnerChange,
  encodeOwnerChange,
  fromModuleOwner,
  type GuardianSet,
  getCancelRecoveryHash,
  getRecoveryHash,
  getRecoveryResultHash,
  type ModuleOwner,
  ownerChangeTypedData,
  readSignerContract,
  toGuardianSet,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Network, Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { type Address, type Hash, type Hex, hashTypedData, zeroHash } from 'viem'
import { findWallet } from '../../accounts/accounts/wallet.ts'
import { sharedSender } from '../ownership/change-budget.ts'
import { networksOf } from '../ownership/read-ownership.ts'
import { keepSignedChange } from '../ownership/signed-change.ts'
import { type GuardianState, keepGuardians, readGuarded } from './guardian-sets.ts'
import { checkSignature } from './guardian-signature.ts'
import { keepSignature } from './keep-signature.ts'
import { listMessages } from './list-messages.ts'
import type { StoredSignature } from './recovery.ts'
import { headBefore, isExecuted, type Message } from './recovery-outcome.ts'

/** A change in a final block of a network, as the module's log has it. */
interface AppliedChange {
  readonly account: Address
  readonly sequence: bigint
  readonly kind: Hex
  readonly data: Hex
  readonly signatures: Hex
}

/** Whose budget pays on the other networks: one for all that this service did not see signed, of which each account has a part. */
const signedElsewhere = (account: Address) => sharedSender('elsewhere', account.toLowerCase())

/**
 * Takes a change into this service's log that was applied on a network, whoever sent it, so that the other networks get
 * it. The module checked the signature.
 *
 * @returns `split` if other networks have, or get, another message of this sequence
 */
export async function importChange(
  { database, networks, now }: ImportDependencies,
  module: Address,
  { account, sequence, kind, data, signatures }: AppliedChange,
): Promise<'kept' | 'split' | 'unreadable'> {
  if (!isCanonical({ kind, data })) return 'unreadable'
  const typedData = ownerChangeTypedData(decodeOwnerChange({ kind, data }), { module, account, sequence })
  const hash = hashTypedData(typedData)
  if (await isExecuted(database, account, sequence)) return 'split'
  const kept = await keepSignedChange(
    database,
    account,
    { sequence, kind, data, signature: signatures, hash, sentBy: signedElsewhere(account) },
    { networks: networksOf(networks, module), now: now() },
  )
  return kept.hash === hash ? 'kept' : 'split'
}

interface ImportDependencies {
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

/** What guardians signed, in a final block of a network, as the module's log has it. */
interface AppliedMessage {
  readonly account: Address
  readonly sequence: bigint
  readonly number: bigint
  readonly guardians: GuardianSet
  readonly signatures: readonly { readonly guardian: Address; readonly signature: Hex }[]
}

interface StartedRecovery extends AppliedMessage {
  readonly newOwners: readonly ModuleOwner[]
  readonly newThreshold: bigint
}

/**
 * Takes what guardians did on a network without this service into its rows: they started a recovery, or took recoveries
 * back. They signed it for all networks, so the service does it there too, as if they had sent their signatures here.
 *
 * @returns false if something that was signed here stands against it (an owner's change, a higher number), or if it cannot
 * be read
 * @throws NETWORK_UNAVAILABLE
 */
export async function importGuardianMessage(
  services: ImportDependencies,
  { module, network }: { readonly module: Address; readonly network: Network },
  applied: AppliedMessage | StartedRecovery,
): Promise<boolean> {
  const { database, networks, now } = services
  const { account, sequence, number } = applied
  const read = readApplied(module, applied)
  if (!read) return false
  const { guardians, target, hash } = read
  if (await isComplete(database, account, hash)) return true
  const wallet = await findWallet(database, account)
  await keepGuardians(database, account, guardians, now())
  const guarded = await readGuarded(services, module, wallet)
  const signatures: StoredSignature[] = []
  for (const { guardian, signature } of applied.signatures) {
    // The network has its signer contract, if it is a passkey: the others get it from its code.
    const code = await network.call((client) => client.getCode({ address: guardian }))
    const key = readSignerContract(guardian, code)
    signatures.push(
      // The module accepted it here; a contract may have changed its mind since.
      ...(await checkSignature(networks, module, {
        guardian,
        hash,
        signature,
        chainId: undefined,
        key,
      }).catch((error) => {
        if (error instanceof LanyardError && error.code === 'INVALID_SIGNATURE') {
          return [{ guardian, signature, network: network.chainId }]
        }
        throw error
      })),
    )
  }
  const on = guarded.find((one) => one.network.chainId === network.chainId)
  if (!on) throw new LanyardError('NETWORK_UNAVAILABLE')
  const messages = await listMessages(database, account)
  const head = findHead(on, { sequence, hash: target?.result ?? zeroHash }, messages)
  if (!head) return false
  try {
    const kept = {
      account,
      hash,
      sequence,
      number,
      target,
      head,
      sentBy: signedElsewhere(account),
      createdAt: now(),
    }
    await keepSignature(database, kept, signatures, {
      ...{ guarded, networks: networksOf(networks, module), now: now(), isAccepted: true },
    })
    return true
  } catch (error) {
    const isAgainst =
      error instanceof LanyardError && ['OTHER_RECOVERY_SIGNED', 'STALE_RECOVERY'].includes(error.code)
    if (isAgainst) return false
    throw error
  }
}

/** Undefined if this service cannot encode it again. The module checks more than these functions do. */
function readApplied(module: Address, applied: AppliedMessage | StartedRecovery) {
  const { account, sequence, number } = applied
  const context = { module, account, sequence, number }
  try {
    const guardians = toGuardianSet(applied.guardians)
    if (!('newOwners' in applied)) {
      return { guardians, target: undefined, hash: getCancelRecoveryHash(context) }
    }
    const { newThreshold } = applied
    const newOwners = applied.newOwners.map(fromModuleOwner)
    const result = getRecoveryResultHash(newOwners, { ...context, newThreshold })
    const hash = getRecoveryHash(newOwners, { ...context, newThreshold })
    return { guardians, target: { newOwners, newThreshold, result }, hash }
  } catch (error) {
    if (error instanceof AccountsError) return undefined
    throw error
  }
}

async function isComplete(database: Kysely<Database>, account: Address, hash: Hash): Promise<boolean> {
  const row = await database
    .selectFrom('recoveries')
    .select('complete_at')
    .where('account', '=', account.toLowerCase())
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row !== undefined && row.complete_at !== null
}

/** The account's head at a recovery's sequence: from the network, or from what led to the network's head. */
const findHead = (
  { state }: GuardianState,
  recovery: Message,
  messages: readonly Message[],
): Hash | undefined =>
  state.sequence === recovery.sequence ? state.head : headBefore(recovery, state, messages)
