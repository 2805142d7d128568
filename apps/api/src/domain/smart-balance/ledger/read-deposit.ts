import { accountReads } from '@lanyard/accounts'
import type { AgreedBlock, Network } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type OrderRecord, pinned, readOrderRecord } from '@lanyard/smart-balance'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hash, type Hex, pad } from 'viem'
import { getSmartBalance } from '../model/get-smart-balance.ts'
import { multicallAtBlock, type Read } from './multicall-at-block.ts'

/** The values to read besides the deposit. */
export interface DepositQueries {
  /** Signer ids. */
  readonly signers: readonly Hex[]
  /** Orders that may have been settled on this network. */
  readonly orders: readonly SignedNonce[]
  /** Digests of co-signed withdrawals. */
  readonly withdrawals: readonly Hex[]
}

/** The state of one account in a final block of a network. */
export interface Deposit {
  readonly network: number
  readonly block: Pick<AgreedBlock, 'number' | 'timestamp'>
  readonly balance: bigint
  readonly exiting: bigint
  /** Unix seconds; 0 without an exit. */
  readonly exitReadyAt: number
  readonly requestedSigners: readonly Hex[]
  /** The requested signers that are pinned without an expiry. */
  readonly pinnedSigners: readonly Hex[]
  readonly settled: ReadonlyMap<Hex, OrderRecord>
  readonly usedWithdrawals: ReadonlySet<Hex>
}

/** The values of one block. */
interface Reading extends Omit<Deposit, 'network' | 'block'> {
  /** Ids of owners that the queries do not name as signers. */
  readonly others: readonly Hex[]
}

/**
 * Reads a deposit and all requested values at one final block, as two RPCs confirm them: the operator lends
 * against these values. It takes one round trip while the last known final block is the newest, otherwise two, and
 * another one if the account has an owner who was not among the signers. (Owners that are contracts are queried as well, but are never pinned.)
 *
 * @throws NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED, NO_SMART_BALANCE
 */
export async function readDeposit(
  network: Network,
  account: Address,
  queries: DepositQueries,
): Promise<Deposit> {
  network.quorum.require()
  const { lastFinal } = network.quorum
  const readAt = (block: AgreedBlock) => readAccount(network, account, queries, block)
  const [block, early] = await Promise.all([
    network.quorum.final(),
    lastFinal && readAt(lastFinal).catch(() => undefined),
  ])
  const { others, ...reading } = early && lastFinal?.hash === block.hash ? early : await readAt(block)
  const further = await readPins(network, account, others, block)
  return {
    ...reading,
    network: network.chainId,
    block,
    requestedSigners: [...reading.requestedSigners, ...others],
    pinnedSigners: [...reading.pinnedSigners, ...further],
  }
}

async function readAccount(
  network: Network,
  account: Address,
  { signers, orders, withdrawals }: DepositQueries,
  block: AgreedBlock,
): Promise<Reading> {
  const ask = depositReads(getSmartBalance(network).address)
  const [[deposit], [owners], until, records, used] = await multicallAtBlock(network, block, [
    [ask.account(account)],
    [ownersRead(account)],
    signers.map((id) => ask.signerUntil(account, id)),
    orders.map((order) => ask.settled(account, order)),
    withdrawals.map(ask.usedWithdrawal),
  ])
  const [balance, exiting, exitReadyAt] = deposit
  return {
    balance,
    exiting,
    exitReadyAt,
    requestedSigners: signers,
    pinnedSigners: signers.filter((_, index) => BigInt(until[index] ?? 0) === pinned),
    settled: new Map(
      orders.flatMap(({ orderHash }, index) => {
        const record = records[index]
        return record ? [[orderHash, record]] : []
      }),
    ),
    usedWithdrawals: new Set(withdrawals.filter((_, index) => used[index] === true)),
    others: owners
      .map((owner) => pad(owner.toLowerCase() as Hex)) // an address is hex, and so is its lower case
      .filter((id) => !signers.includes(id)),
  }
}

/** Finds the signers that are pinned without an expiry. */
async function readPins(
  network: Network,
  account: Address,
  signers: readonly Hex[],
  block: AgreedBlock,
): Promise<readonly Hex[]> {
  if (signers.length === 0) return []
  const ask = depositReads(getSmartBalance(network).address)
  const [until] = await multicallAtBlock(network, block, [signers.map((id) => ask.signerUntil(account, id))])
  return signers.filter((_, index) => BigInt(until[index] ?? 0) === pinned)
}

const abi = smartBalanceAbi

/** An order that was signed for an operation. */
interface SignedNonce {
  readonly orderHash: Hash
  readonly outputNetwork: number
  readonly nonce: bigint
}

/** The reads of a SmartBalance contract about deposits. Amounts have 6 decimals. */
const depositReads = (target: Address) => ({
  /** Balance, the exiting part of it, and when that can be withdrawn (Unix seconds; 0 without an exit). */
  account: (account: Address): Read<readonly [bigint, bigint, number]> => ({
    target,
    callData: encodeFunctionData({ abi, functionName: 'accounts', args: [account] }),
    decode: (data) => decodeFunctionResult({ abi, functionName: 'accounts', data }),
  }),
  /** Until when a signer may debit an account, Unix seconds. */
  signerUntil: (account: Address, signer: Hex): Read<number> => ({
    target,
    callData: encodeFunctionData({ abi, functionName: 'signerUntil', args: [account, signer] }),
    decode: (data) => decodeFunctionResult({ abi, functionName: 'signerUntil', data }),
  }),
  /** The amount settled here for an order of the account on another network. */
  settled: (account: Address, { orderHash, outputNetwork, nonce }: SignedNonce): Read<OrderRecord> => ({
    target,
    callData: encodeFunctionData({
      abi,
      functionName: 'settled',
      args: [account, BigInt(outputNetwork), nonce],
    }),
    decode: (data) =>
      readOrderRecord(decodeFunctionResult({ abi, functionName: 'settled', data }), orderHash),
  }),
  usedWithdrawal: (digest: Hex): Read<boolean> => ({
    target,
    callData: encodeFunctionData({ abi, functionName: 'usedWithdrawal', args: [digest] }),
    decode: (data) => decodeFunctionResult({ abi, functionName: 'usedWithdrawal', data }),
  }),
})

/** The owners of a contract account; empty for an address that has none or is not deployed yet. */
function ownersRead(account: Address): Read<readonly Address[]> {
  const { owners } = accountReads(account)
  return {
    target: account,
    callData: encodeFunctionData(owners),
    decode: (data) => decodeFunctionResult({ ...owners, data }),
    reverted: [],
  }
}
