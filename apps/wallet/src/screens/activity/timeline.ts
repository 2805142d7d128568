import type { Call } from '@lanyard/accounts'
import {
  type CallDescription,
  type Currency,
  callContext,
  describeCall,
  nativeOf,
  usesOrder,
} from '@lanyard/calls'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { type Address, concat, type Hash, isAddressEqual, pad } from 'viem'
import { toCall } from '../../calls/to-call.ts'
import type { EarlyReceipt } from '../../holdings/early-receipts.ts'
import type { NetworkBalance } from '../../holdings/use-balances.ts'
import type { Network } from '../../networks/use-networks.ts'
import type { Activity, ProtectionAct } from '../../operation/use-activity.ts'
import { changeOf } from './describe-act.ts'
import { type Payment, paymentsOf } from './payments-of.ts'

/** The topics of an entry. An entry can have several. */
type TimelineTopic = 'sent' | 'received' | 'combined' | 'owners' | 'sessions'

/** An operation of the account. */
export interface OperationEntry {
  readonly kind: 'operation'
  readonly at: string
  readonly topics: readonly TimelineTopic[]
  readonly operation: Activity
  readonly network: Network | undefined
  readonly calls: readonly CallDescription[]
  /** The bytes of `calls`. */
  readonly raw: readonly Call[]
  /** What it pays, also what a session key pays. */
  readonly payments: readonly Payment[]
}

/** A transfer that somebody else sent. */
export interface ReceiptEntry {
  readonly kind: 'receipt'
  /** Undefined if the time is unknown. Such entries come last. */
  readonly at: string | undefined
  readonly id: string
  readonly topics: readonly ['received']
  readonly network: Network | undefined
  readonly chainId: number
  readonly amount: bigint
  /** Undefined for a token that is not in the service's configuration. */
  readonly currency: Currency | undefined
  /** Undefined if the sender is unknown. */
  readonly from: Address | undefined
  readonly txnHash: Hash | undefined
}

/** What owners or guardians signed once for all networks, or what came of it. */
interface ProtectionEntry {
  readonly kind: 'protection'
  readonly at: string
  readonly id: string
  readonly topics: readonly TimelineTopic[]
  readonly act: ProtectionAct
}

export type TimelineEntry = OperationEntry | ReceiptEntry | ProtectionEntry

type ReceivedOnNetwork = EndpointOutput<typeof endpoints.wallet.transfers>['networks'][number]

interface TimelineInput {
  readonly account: Address
  readonly networks: readonly Network[]
  readonly operations: readonly Activity[]
  readonly protection: readonly ProtectionAct[]
  readonly received: readonly ReceivedOnNetwork[]
  readonly balances: readonly NetworkBalance[]
  /** What arrived before the account was deployed, as far as this browser saw it. */
  readonly early: readonly EarlyReceipt[]
  /** True if older operations are not loaded yet. */
  readonly hasOlder: boolean
}

/**
 * Everything that happened to the account, newest first. Amounts received through an own operation (from the
 * combined balance, or from the account itself) are part of that operation and not receipts. While older
 * operations are not loaded, other entries of that period are held back, so that nothing is inserted above entries
 * already read.
 */
export function toTimeline(input: TimelineInput): readonly TimelineEntry[] {
  const { operations, hasOlder } = input
  const own = operations.map((operation) => toOperationEntry(operation, input))
  const oldest = hasOlder ? operations.at(-1)?.signedAt : undefined
  const others = [...receiptsOf(input), ...input.protection.map(toProtectionEntry)].filter(
    ({ at }) => !oldest || (at !== undefined && at >= oldest),
  )
  return [...own, ...others].toSorted((a, b) => timeOf(b) - timeOf(a))
}

const timeOf = ({ at }: TimelineEntry) => (at === undefined ? 0 : Date.parse(at))

/** The calls without the approvals by which the account pays the fee in a token: their spender is the paymaster. */
function withoutFeeApproval({ calls, paymaster }: Activity): readonly Call[] {
  const raw = calls.map(toCall)
  if (!paymaster) return raw
  const prefix = concat(['0x095ea7b3', pad(paymaster)]).toLowerCase() // approve(address,uint256)
  const first = raw.findIndex(({ data }) => !data.toLowerCase().startsWith(prefix))
  return first === -1 ? raw : raw.slice(first)
}

function toOperationEntry(operation: Activity, { account, networks }: TimelineInput): OperationEntry {
  const network = networks.find(({ chainId }) => String(chainId) === operation.network)
  const context = callContext(account, network)
  const raw = withoutFeeApproval(operation)
  const calls = raw.map((call) => describeCall(call, context))
  const topics = new Set(calls.flatMap((call) => (usesOrder(call, context) ? 'combined' : topicOf(call))))
  const inner = calls.flatMap((call) =>
    call.kind === 'act-in-session' ? call.calls.map((acted) => describeCall(acted, context)) : [call],
  )
  return {
    ...{ kind: 'operation', at: operation.signedAt, topics: [...topics], operation, network, calls, raw },
    payments: paymentsOf(inner, account),
  }
}

/** Acts of one time stay in their order: the newest first. */
const toProtectionEntry = (act: ProtectionAct): ProtectionEntry => ({
  kind: 'protection',
  at: act.at,
  id: `${act.act} ${act.messageToSign} ${act.guardian ?? ''}`,
  topics: [changeOf(act)?.kind === 'revokeSessions' ? 'sessions' : 'owners'],
  act,
})

function topicOf({ kind }: CallDescription): TimelineTopic | readonly [] {
  switch (kind) {
    case 'transfer':
    case 'approve':
    case 'contract':
      return 'sent'
    case 'deposit':
    case 'withdraw':
    case 'claim':
    case 'request-exit':
    case 'cancel-exit':
    case 'finalize-exit':
      return 'combined'
    case 'add-owner':
    case 'remove-owner':
    case 'enable-guardians':
    case 'remove-module':
    case 'remove-guard':
    case 'reset-handler':
      return 'owners'
    case 'grant-session':
    case 'revoke-session':
    case 'end-sessions':
    case 'act-in-session':
      return 'sessions'
    default:
      return [] // serves another call
  }
}

function receiptsOf({
  account,
  networks,
  operations,
  received,
  balances,
  early,
}: TimelineInput): ReceiptEntry[] {
  const ownTransactions = new Set(operations.map(({ txnHash }) => txnHash?.toLowerCase()))
  const logged = received.flatMap(({ network: id, transfers }) => {
    const network = networks.find(({ chainId }) => String(chainId) === id)
    const isOwn = ({ from, txnHash }: (typeof transfers)[number]) =>
      isAddressEqual(from, account) ||
      (network?.smartBalance !== undefined &&
        isAddressEqual(from, network.smartBalance.address) &&
        ownTransactions.has(txnHash.toLowerCase()))
    return transfers
      .filter((transfer) => !isOwn(transfer))
      .map(({ txnHash, at, from, token, amount }, position): ReceiptEntry => {
        const currency = token
          ? network?.currencies.find((known) => known.token && isAddressEqual(known.token, token))
          : nativeOf(network?.currencies ?? [])
        return {
          kind: 'receipt',
          // One transaction can contain equal transfers.
          id: `${id} ${txnHash} ${position}`,
          topics: ['received'],
          chainId: Number(id),
          amount: BigInt(amount),
          at,
          network,
          currency,
          from,
          txnHash,
        }
      })
  })
  // Native value leaves no log before the account is deployed, so only the balance shows it.
  const silent = balances.flatMap(({ chainId, available, deployed, native }): ReceiptEntry[] => {
    const seen = early.find((receipt) => receipt.chainId === chainId)
    const amount = available && !deployed ? (native ?? 0n) : (seen?.amount ?? 0n)
    if (amount === 0n) return []
    const network = networks.find((candidate) => candidate.chainId === chainId)
    return [
      {
        kind: 'receipt',
        id: `${chainId} native`,
        topics: ['received'],
        chainId,
        network,
        amount,
        at: seen?.seenAt,
        currency: nativeOf(network?.currencies ?? []),
        from: undefined,
        txnHash: undefined,
      },
    ]
  })
  return [...logged, ...silent]
}
