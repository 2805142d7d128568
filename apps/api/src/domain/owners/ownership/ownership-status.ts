import type { Database } from '@lanyard/database'
import type { Network, Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { type Address, zeroHash } from 'viem'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { onEachNetwork, readOwners } from '../../accounts/owners/read-owners.ts'
import { listProgress, type MessageProgress } from '../messages/message-progress.ts'
import { toNetworkPlan } from '../plan-change.ts'
import { findGuardianRequest } from '../recovery/guardian-request.ts'
import { listMessages } from '../recovery/list-messages.ts'
import type { Message } from '../recovery/recovery-outcome.ts'
import { findUnknown, requestHistory } from './owner-history.ts'
import { type OwnershipState, planEnabling, readOwnership } from './read-ownership.ts'
import { listSignedChanges } from './signed-change.ts'

/** A network that answered; without a state, it does not have the module. */
interface Answer {
  readonly network: Network
  readonly state: OwnershipState | undefined
  /** The owners there but for contracts that are owners by their role; undefined if the account is not deployed. */
  readonly owners: readonly string[] | undefined
}

const reasons = ['NOT_ENABLED', 'NOT_SPONSORED', 'BUDGET_SPENT', 'WAITING', 'FAILED'] as const

/**
 * Where an account's owner changes stand: on the chains now, and in this service's rows. Changes that a network applied
 * before this service read its logs are looked for from then on.
 */
export async function readOwnershipStatus(
  services: {
    readonly database: Kysely<Database>
    readonly networks: Networks
    readonly now: () => Date
  },
  module: Address | undefined,
  wallet: Wallet,
) {
  const { database, networks } = services
  const [answers, changes, progress, request] = await Promise.all([
    onEachNetwork(networks, async (network) => {
      if (module === undefined || network.config.ownership !== module) {
        return { network, state: undefined, owners: undefined }
      }
      const [state, { deployed, owners }] = await Promise.all([
        readOwnership(network, module, wallet),
        readOwners(network, wallet),
      ])
      const byRole = [module, network.config.sessionKeys].map((address) => address?.toLowerCase())
      const named = owners.map((owner) => owner.toLowerCase()).filter((owner) => !byRole.includes(owner))
      return { network, state, owners: deployed ? named.sort() : undefined }
    }),
    listSignedChanges(database, wallet.address),
    listProgress(database, wallet.address),
    findGuardianRequest(database, wallet.address, services.now()),
  ])
  const states = answers.flatMap((answer) => ('state' in answer && answer.state ? [answer.state] : []))
  await requestUnknown(services, wallet, answers, changes)
  const byHash = Map.groupBy(progress, (row) => row.hash)
  const supporting = networks
    .list()
    .filter(({ config }) => module !== undefined && config.ownership === module)
  return {
    ...(module && { module }),
    split: isSplit(states),
    ownersDiffer: haveOtherOwners(answers.filter((answer) => 'state' in answer)),
    ...(request && { request }),
    networks: answers.map((answer) => {
      if (!('state' in answer)) return answer
      const { network, state } = answer
      if (!state || !module) return { network: network.chainId, status: 'unsupported' as const }
      return {
        network: network.chainId,
        status: 'up' as const,
        ...toStatus(state),
        ...enabling(answer, module, wallet),
      }
    }),
    changes: changes.map(({ sequence, kind, data, signature, hash }) => ({
      sequence: sequence.toString(),
      ...{ kind, data, signature, messageToSign: hash },
      networks: supporting.map(({ chainId }) => {
        const row = byHash.get(hash)?.find(({ network }) => network === chainId)
        const reason = reasons.find((known) => row?.state === 'pending' && known === row.reason)
        const state = toChangeState(row)
        return { network: chainId, state, ...(reason && { reason }) }
      }),
    })),
  }
}

function toChangeState(row: MessageProgress | undefined): 'pending' | 'applied' | 'final' {
  if (row?.state !== 'executed') return 'pending'
  return row.final ? 'final' : 'applied'
}

async function requestUnknown(
  { database, now }: { readonly database: Kysely<Database>; readonly now: () => Date },
  { address: account }: Wallet,
  answers: readonly object[],
  changes: readonly Message[],
): Promise<void> {
  const answered = answers.filter((answer): answer is Answer => 'state' in answer)
  const incomplete = answered.filter(({ state }) => state && findUnknown(state.sequence, changes).length > 0)
  if (incomplete.length === 0) return
  const messages = await listMessages(database, account)
  for (const { network, state } of incomplete) {
    if (!state || findUnknown(state.sequence, messages).length === 0) continue
    await requestHistory(database, { account, network: network.chainId, now: now() })
  }
}

/** Two networks that are equally far, by different messages. */
const isSplit = (states: readonly OwnershipState[]) =>
  states.some((one) => states.some((other) => one.sequence === other.sequence && one.head !== other.head))

/** Two networks that are equally far, and have other owners: one refused an owner, or the account changed them by itself. */
const haveOtherOwners = (answers: readonly Answer[]) =>
  answers.some(({ state, owners }) =>
    answers.some(
      (other) =>
        state?.sequence === other.state?.sequence &&
        owners &&
        other.owners &&
        `${owners}` !== `${other.owners}`,
    ),
  )

const toStatus = ({ deployed, enabled, sequence, head, guardians, recovery }: OwnershipState) => ({
  deployed,
  enabled,
  sequence: sequence.toString(),
  ...(head !== zeroHash && { head }),
  // The module keeps both, and can do nothing for an account that has disabled it.
  ...(enabled && guardians && { guardians }),
  ...(enabled && recovery && { recovery }),
})

function enabling({ network, state }: Answer, module: Address, wallet: Wallet) {
  if (!state || state.enabled) return {}
  const { transactionDetails } = toNetworkPlan(network, [planEnabling(module, wallet)])
  return { transactionDetails }
}
