import type { Network } from '@lanyard/networks'
import { type OrderRecord, pinned } from '@lanyard/smart-balance'
import { type Address, type Hex, pad } from 'viem'
import { getSmartBalance } from '../get-smart-balance.ts'
import { depositReads, ownersRead, type SignedNonce } from './deposit-reads.ts'
import { type FinalBlock, readFinalBlock } from './final-block.ts'
import { type At, blockNumberRead, multicallAtBlock } from './multicall-at-block.ts'

/** The values to read besides the deposit. */
export interface DepositQuestions {
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
  readonly block: FinalBlock
  readonly balance: bigint
  readonly exiting: bigint
  /** Unix seconds; 0 without an exit. */
  readonly exitReadyAt: number
  readonly askedSigners: readonly Hex[]
  /** The requested signers that are pinned without an expiry. */
  readonly pinnedSigners: readonly Hex[]
  readonly settled: ReadonlyMap<Hex, OrderRecord>
  readonly usedWithdrawals: ReadonlySet<Hex>
}

/** The values of one block, before the block itself is known. */
interface Reading extends Omit<Deposit, 'network' | 'block'> {
  /** The number that contracts see: on some rollups it is that of the parent chain. */
  readonly blockNumber: bigint
  /** Ids of owners that the questions do not name as signers. */
  readonly others: readonly Hex[]
}

/**
 * Reads a deposit and all requested values at one final block. This takes one round trip on chains that name
 * the block by a tag, since the block number and a multicall leave as one JSON-RPC batch. It takes a second
 * one if the final block moved in between, and another one if the account has an owner who was not among the
 * signers. (Owners that are contracts are queried as well, but are never pinned.)
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, NO_SMART_BALANCE
 */
export async function readDeposit(
  network: Network,
  account: Address,
  questions: DepositQuestions,
): Promise<Deposit> {
  const { finality } = network.config
  const readAt = (at: At) => readAccount(network, account, questions, at)
  const [block, early] = await Promise.all([
    readFinalBlock(network),
    'tag' in finality ? readAt({ blockTag: finality.tag }) : undefined,
  ])
  const isOfBlock = early?.blockNumber === block.number
  const {
    others,
    blockNumber: _,
    ...reading
  } = isOfBlock ? early : await readAt({ blockNumber: block.number })
  const further = await readPins(network, account, others, { blockNumber: block.number })
  return {
    ...reading,
    network: network.chainId,
    block,
    askedSigners: [...reading.askedSigners, ...others],
    pinnedSigners: [...reading.pinnedSigners, ...further],
  }
}

function readAccount(
  network: Network,
  account: Address,
  { signers, orders, withdrawals }: DepositQuestions,
  at: At,
): Promise<Reading> {
  const ask = depositReads(getSmartBalance(network).address)
  return network.call(async (client) => {
    const [[blockNumber], [deposit], [owners], until, records, used] = await multicallAtBlock(client, at, [
      [blockNumberRead],
      [ask.account(account)],
      [ownersRead(account)],
      signers.map((id) => ask.signerUntil(account, id)),
      orders.map((order) => ask.settled(account, order)),
      withdrawals.map(ask.usedWithdrawal),
    ])
    const [balance, exiting, exitReadyAt] = deposit
    return {
      blockNumber,
      balance,
      exiting,
      exitReadyAt,
      askedSigners: signers,
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
  })
}

/** Finds the signers that are pinned without an expiry. */
async function readPins(
  network: Network,
  account: Address,
  signers: readonly Hex[],
  at: At,
): Promise<readonly Hex[]> {
  if (signers.length === 0) return []
  const ask = depositReads(getSmartBalance(network).address)
  const [until] = await network.call((client) =>
    multicallAtBlock(client, at, [signers.map((id) => ask.signerUntil(account, id))]),
  )
  return signers.filter((_, index) => BigInt(until[index] ?? 0) === pinned)
}
