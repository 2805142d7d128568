import type { SignedUserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { type Network, rejectionIn } from '@lanyard/networks'
import {
  type Address,
  decodeAbiParameters,
  getAddress,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  numberToHex,
  parseAbiParameters,
  size,
  slice,
  toEventSelector,
} from 'viem'
import { z } from 'zod'
import { codeOfSender, withoutMarker } from '../eip7702/authorization.ts'
import { entryPointOf } from '../entry-point/entry-point.ts'

/** What an operation changes for its account. */
export interface AssetChange {
  /** `approval`: the spender may take it later, without the account. */
  readonly kind: 'in' | 'out' | 'approval'
  /** The contract of a token. Absent: the native coin. */
  readonly token?: Address
  /** The id of an NFT. */
  readonly id?: bigint
  /** Base units. Absent: an approval for everything that the account has or gets in the contract. */
  readonly amount?: bigint
  readonly spender?: Address
}

/** The calls ran to their end, or reverted. */
export type SimulatedChanges =
  | {
      readonly success: true
      /** Undefined: the calls log too much to tell. */
      readonly changes: readonly AssetChange[] | undefined
      readonly gas: bigint
    }
  | { readonly success: false; readonly revertData: Hex; readonly gas: bigint }

/** Maximum gas of each step. What needs more has no statement. */
const gasCap = 8_000_000n

/** More logs are not read, nor more words of lists of NFTs: a caller pays nothing for them. */
const maxLogs = 1_000
const maxListWords = 4_096

const hex = (pattern: RegExp) => z.custom<Hex>((value) => typeof value === 'string' && pattern.test(value))
const data = hex(/^0x(?:[0-9a-f]{2})*$/i)
const logs = z.array(
  z.object({
    address: hex(/^0x[0-9a-f]{40}$/i),
    topics: z.array(hex(/^0x[0-9a-f]{64}$/i)).max(4),
    data,
  }),
)
type Log = z.output<typeof logs>[number]

/**
 * Runs the calls of an operation once at the head of the chain, as EntryPoint runs them, and reads what changes for the
 * account from their logs. The node logs transfers of the native coin, too. A token whose contract logs nothing, or
 * something else than it does, is not seen.
 *
 * @param operation - its gas, fees and signature do not matter: it is not validated, and no fee is taken
 * @returns undefined if no node of the network knows `eth_simulateV1`
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function simulateChanges(
  network: Network,
  operation: Pick<SignedUserOperation, 'sender' | 'initCode' | 'callData' | 'entryPoint'>,
): Promise<SimulatedChanges | undefined> {
  const { sender, callData } = operation
  const { initCode } = withoutMarker(operation)
  const code = codeOfSender(operation)
  const entryPoint = entryPointOf(network, operation)
  const gas = numberToHex(gasCap)
  const calls = [
    ...(initCode === '0x'
      ? []
      : [{ from: entryPoint, to: slice(initCode, 0, 20), data: slice(initCode, 20), gas }]),
    { from: entryPoint, to: sender, data: callData, gas },
  ]
  const answer = await network.call((client) =>
    client
      .request({
        method: 'eth_simulateV1',
        params: [
          {
            blockStateCalls: [{ calls, ...('code' in code && { stateOverrides: { [sender]: code } }) }],
            traceTransfers: true,
            validation: false,
          },
          'latest',
        ],
      })
      .catch((error: unknown) => {
        if (rejectionIn(error)?.meaning === 'method-missing') return undefined
        throw error
      }),
  )
  if (!answer) return undefined
  const ran = answer.flatMap((block) => block.calls)
  const used = ran.reduce((sum, { gasUsed }) => sum + hexToBigInt(gasUsed as Hex), 0n)
  const failed = ran.find(({ status }) => status === '0x0')
  if (failed) return { success: false, revertData: failed.returnData, gas: used }
  const logged: readonly unknown[] = ran.flatMap((call) => call.logs ?? [])
  if (logged.length > maxLogs) return { success: true, changes: undefined, gas: used }
  const parsed = logs.safeParse(logged)
  if (!parsed.success) {
    throw new LanyardError('NETWORK_FAILED', {
      message: `${network.config.name} gave an answer that cannot be right.`,
    })
  }
  return { success: true, changes: readChanges(parsed.data, sender), gas: used }
}

/** Where nodes log transfers of the native coin: no contract is there. */
const nativeCoin = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

const events = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  transferSingle: toEventSelector('TransferSingle(address,address,address,uint256,uint256)'),
  transferBatch: toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'),
  approval: toEventSelector('Approval(address,address,uint256)'),
  approvalForAll: toEventSelector('ApprovalForAll(address,address,bool)'),
}

/** A movement of something between two addresses. */
interface Move {
  readonly from: Address
  readonly to: Address
  readonly id?: bigint
  readonly amount: bigint
}

/**
 * What the logs say of one account: the difference of what it got and gave of each asset, and the last approval of each
 * spender. Undefined: the lists are too long to read.
 */
function readChanges(logs: readonly Log[], account: Address): readonly AssetChange[] | undefined {
  const listed = logs.filter(({ topics: [event] }) => event === events.transferBatch)
  if (listed.reduce((sum, log) => sum + words(log), 0) > maxListWords) return undefined
  const sums = new Map<string, { readonly asset: Pick<AssetChange, 'token' | 'id'>; readonly sum: bigint }>()
  const approvals = new Map<string, AssetChange | undefined>()
  for (const log of logs) {
    const token = isAddressEqual(log.address, nativeCoin) ? undefined : getAddress(log.address)
    for (const { from, to, id, amount } of movesIn(log)) {
      const key = `${token} ${id}`
      const gain = (isAddressEqual(to, account) ? amount : 0n) - (isAddressEqual(from, account) ? amount : 0n)
      if (gain === 0n) continue
      const asset = { ...(token && { token }), ...(id !== undefined && { id }) }
      sums.set(key, { asset, sum: (sums.get(key)?.sum ?? 0n) + gain })
    }
    const given = token && approvalIn(log)
    if (!given || !isAddressEqual(given.owner, account)) continue
    const { spender, id, amount, isGiven } = given
    const key = `${token} ${id === undefined ? spender : id} ${amount === undefined}`
    approvals.set(
      key,
      isGiven
        ? {
            kind: 'approval',
            token,
            spender,
            ...(id !== undefined && { id }),
            ...(amount !== undefined && { amount }),
          }
        : undefined,
    )
  }
  const moved = [...sums.values()].flatMap(({ asset, sum }): AssetChange[] =>
    sum === 0n ? [] : [{ kind: sum > 0n ? 'in' : 'out', ...asset, amount: sum > 0n ? sum : -sum }],
  )
  const given = [...approvals.values()].filter((approval) => approval !== undefined)
  return [...moved, ...given]
}

const words = (log: Log): number => size(log.data) / 32
const addressIn = (topic: Hex): Address => getAddress(slice(topic, 12, 32))

/** ERC-20 has the amount in its data, ERC-721 the id in a topic. Logs of any other form are of something else. */
function movesIn(log: Log): readonly Move[] {
  const [event, first, second, third] = log.topics
  if (!first || !second) return []
  if (event === events.transfer) {
    const parties = { from: addressIn(first), to: addressIn(second) }
    if (third && words(log) === 0) return [{ ...parties, id: hexToBigInt(third), amount: 1n }]
    return !third && words(log) === 1 ? [{ ...parties, amount: hexToBigInt(log.data) }] : []
  }
  if (!third) return []
  const parties = { from: addressIn(second), to: addressIn(third) }
  if (event === events.transferSingle && words(log) === 2)
    return [{ ...parties, id: hexToBigInt(slice(log.data, 0, 32)), amount: hexToBigInt(slice(log.data, 32)) }]
  if (event !== events.transferBatch) return []
  try {
    const [ids, amounts] = decodeAbiParameters(batch, log.data)
    return ids.flatMap((id, index) => ({ ...parties, id, amount: amounts[index] ?? 0n }))
  } catch {
    return [] // not the event of ERC-1155
  }
}

const batch = parseAbiParameters('uint256[], uint256[]')

interface Approval extends Pick<AssetChange, 'id' | 'amount'> {
  readonly owner: Address
  readonly spender: Address
  /** False: it takes an earlier one back. */
  readonly isGiven: boolean
}

function approvalIn(log: Log): Approval | undefined {
  const [event, first, second, third] = log.topics
  if (!first || !second) return undefined
  const parties = { owner: addressIn(first), spender: addressIn(second) }
  if (event === events.approval && third && words(log) === 0)
    return {
      ...parties,
      id: hexToBigInt(third),
      amount: 1n,
      isGiven: hexToBigInt(second) !== 0n,
    }
  if (words(log) !== 1 || third) return undefined
  const value = hexToBigInt(log.data)
  if (event === events.approval) return { ...parties, amount: value, isGiven: value > 0n }
  return event === events.approvalForAll ? { ...parties, isGiven: value > 0n } : undefined
}
