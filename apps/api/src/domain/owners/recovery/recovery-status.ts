import type { Database } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import type { NamedAccount } from '../../accounts/accounts/find-named-account.ts'
import { onEachNetwork } from '../../accounts/owners/read-owners.ts'
import { listProgress, type MessageProgress } from '../messages/message-progress.ts'
import { listSignedChanges } from '../ownership/signed-change.ts'
import { findGuardianRequest } from './guardian-request.ts'
import { findGuardians, type GuardianState, readGuardianState } from './guardian-sets.ts'
import { signedGuardians } from './guardian-signature.ts'
import { nameGuardians, nameOwner } from './list-guardians.ts'
import { toMessages } from './list-messages.ts'
import {
  isRecovery,
  listGuardianMessages,
  listSignatures,
  type Recovery,
  type StoredSignature,
} from './recovery.ts'
import { createHeadSearch, type HeadSearch, type Message, outcomeOf } from './recovery-outcome.ts'

/** What the answer describes, the newest first. What a guardian signed at earlier sequences is kept, and ended with them. */
const maxDescribed = 64

const sent = ['NOT_SPONSORED', 'BUDGET_SPENT', 'FAILED'] as const

/** Where an account's recoveries stand: on the chains now, and in this service's rows. */
export async function readRecoveryStatus(
  {
    database,
    networks,
    now,
  }: {
    readonly database: Kysely<Database>
    readonly networks: Networks
    readonly now: () => Date
  },
  module: Address | undefined,
  { wallet, username }: NamedAccount,
) {
  const { address: account } = wallet
  const guardians = await findGuardians(database, account)
  const [answers, all, signatures, progress, changes, request] = await Promise.all([
    onEachNetwork(networks, async (network) =>
      module !== undefined && network.config.ownership === module
        ? readGuardianState(network, module, wallet, guardians)
        : { network: network.chainId, status: 'unsupported' as const },
    ),
    listGuardianMessages(database, account),
    listSignatures(database, account),
    listProgress(database, account),
    listSignedChanges(database, account),
    findGuardianRequest(database, account, now()),
  ])
  const messages = toMessages(changes, all.filter(isRecovery))
  const superseded = new Set(changes.map(({ sequence }) => sequence))
  const search = createHeadSearch()
  const signed = all.slice(0, maxDescribed)
  const recoveries = signed.filter(isRecovery)
  const up = answers.filter((answer) => 'state' in answer)
  const leading = [...up]
    .filter((one) => one.guardians !== undefined)
    .sort((a, b) => Number(b.state.sequence - a.state.sequence))[0]
  const described = recoveries.map((recovery) => {
    const context = {
      ...{ messages, search, signatures: signatures.get(recovery.hash) ?? [] },
      // By what guardians signed after it, or by an owner's change.
      isSuperseded:
        superseded.has(recovery.sequence) ||
        signed.some(
          ({ sequence, number, isComplete }) =>
            isComplete && sequence === recovery.sequence && number > recovery.number,
        ),
    }
    return {
      ...{ sequence: recovery.sequence.toString(), number: recovery.number.toString() },
      messageToSign: recovery.hash,
      newOwners: recovery.target.newOwners.map(nameOwner),
      newThreshold: recovery.target.newThreshold.toString(),
      createdAt: recovery.createdAt.toISOString(),
      networks: answers.flatMap((answer) => {
        if ('status' in answer && answer.status === 'unsupported') return []
        const chainId = 'state' in answer ? answer.network.chainId : answer.network
        const row = progress.find((one) => one.network === chainId && one.hash === recovery.hash)
        const on = 'state' in answer ? answer : undefined
        return [{ network: chainId, ...describe(recovery, on, row, { ...context, chainId }) }]
      }),
    }
  })
  return {
    account,
    ...(username !== undefined && { username }),
    ...(module && { module }),
    ...(leading?.guardians && { guardians: nameGuardians(leading.guardians) }),
    networks: answers.map((answer) => ('state' in answer ? toNetwork(answer, recoveries) : answer)),
    ...(request && { request }),
    recoveries: described,
    cancellations: signed
      .filter((message) => !isRecovery(message))
      .map(({ sequence, number, hash, createdAt }) => ({
        ...{ sequence: sequence.toString(), number: number.toString(), messageToSign: hash },
        createdAt: createdAt.toISOString(),
        signed: (signatures.get(hash) ?? []).map(({ guardian }) => guardian),
        networks: progress
          .filter((row) => row.hash === hash)
          .map(({ network, state }) => ({ network, isDone: state === 'executed' })),
      })),
  }
}

const toNetwork = ({ network, state, guardians }: GuardianState, recoveries: readonly Recovery[]) => ({
  ...{ network: network.chainId, status: 'up' as const },
  ...{ deployed: state.deployed, enabled: state.enabled, sequence: state.sequence.toString() },
  number: state.number.toString(),
  ...(guardians && { guardians: nameGuardians(guardians) }),
  ...(state.recovery && {
    running: {
      messageToSign: state.recovery.hash,
      readyAt: state.recovery.readyAt,
      isKnown: recoveries.some(({ hash }) => hash === state.recovery?.hash),
    },
  }),
})

interface Context {
  readonly chainId: number
  readonly messages: readonly Message[]
  readonly search: HeadSearch
  readonly signatures: readonly StoredSignature[]
  readonly isSuperseded: boolean
}

function describe(
  recovery: Recovery,
  on: GuardianState | undefined,
  row: MessageProgress | undefined,
  context: Context,
) {
  const { signatures, chainId } = context
  const final = row?.final ?? false
  const executedAt = row?.executed_at && { executedAt: Math.floor(row.executed_at.getTime() / 1000) }
  if (!on) {
    // Nothing can change what is final.
    const state = final && row ? row.state : ('unknown' as const)
    return { state, final, signed: [], ...executedAt }
  }
  const { guardians } = on
  const signed = guardians ? signedGuardians(guardians, signatures, chainId) : []
  return {
    ...stateOf(recovery, on, row, { ...context, signed: signed.length }),
    ...{ final, signed },
    ...(guardians && { threshold: guardians.threshold }),
  }
}

/** The state on a network that answered, and what it waits for. */
function stateOf(
  { sequence, number, hash, head, target }: Recovery,
  { state, guardians, timestamp }: GuardianState,
  row: MessageProgress | undefined,
  { messages, search, isSuperseded, signed }: Context & { readonly signed: number },
) {
  if (state.sequence > sequence) {
    const outcome = row?.final
      ? row.state
      : outcomeOf(
          { sequence, hash: target.result },
          (row?.head ?? head) as typeof head, // a hash, as written
          state,
          messages,
          search,
        )
    const at = row?.executed_at
    return {
      state: outcome,
      ...(outcome === 'executed' && at && { executedAt: Math.floor(at.getTime() / 1000) }),
    }
  }
  const lastReason = sent.find((reason) => reason === row?.reason)
  const reason = lastReason && { reason: lastReason }
  if (state.recovery?.hash === hash) {
    const { readyAt } = state.recovery
    const startedAt = guardians && { startedAt: readyAt - guardians.delay }
    if (timestamp < readyAt) return { state: 'running' as const, readyAt, ...startedAt }
    return { state: 'ready' as const, readyAt, ...startedAt, ...reason }
  }
  // A number that was replaced, taken back or has lapsed never starts again.
  if (state.sequence === sequence && state.number >= number) return { state: 'cancelled' as const }
  if (isSuperseded) return { state: 'cancelled' as const }
  if (!state.enabled) return { state: 'pending' as const, reason: 'NOT_ENABLED' as const }
  if (state.sequence < sequence) return { state: 'pending' as const, reason: 'WAITING' as const }
  if (!state.guardians) return { state: 'collecting' as const, reason: 'NO_GUARDIANS' as const }
  if (!guardians) return { state: 'collecting' as const, reason: 'UNKNOWN_GUARDIANS' as const }
  if (signed < guardians.threshold) return { state: 'collecting' as const }
  return { state: 'pending' as const, ...reason }
}
