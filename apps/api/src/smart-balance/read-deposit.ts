import { safeAbi } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type Outcome, outcomes, pinned } from '@lanyard/smart-balance'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, pad } from 'viem'
import { type FinalBlock, readFinalBlock } from './final-block.ts'
import { smartBalanceOn } from './smart-balance-on.ts'

/** What to ask for besides the deposit. */
export interface DepositQuestions {
  /** Signer ids. */
  readonly signers: readonly Hex[]
  /** Hashes of orders that may have been settled here. */
  readonly orderHashes: readonly Hex[]
  /** Digests of co-signed withdrawals. */
  readonly withdrawals: readonly Hex[]
}

/** What became of an order here. */
export interface Settled {
  /** 6 decimals, as all amounts. */
  readonly amount: bigint
  /** Which outcome was settled; undefined: none yet. */
  readonly outcome: Outcome | undefined
}

/** What a final block of a network says of one account. */
export interface Deposit {
  readonly network: number
  readonly block: FinalBlock
  readonly balance: bigint
  readonly exiting: bigint
  /** Unix seconds; 0 without an exit. */
  readonly exitReadyAt: number
  readonly askedSigners: readonly Hex[]
  /** Those of them that are pinned without an end. */
  readonly pinnedSigners: readonly Hex[]
  readonly settled: ReadonlyMap<Hex, Settled>
  readonly usedWithdrawals: ReadonlySet<Hex>
}

const getOwners = encodeFunctionData({ abi: safeAbi, functionName: 'getOwners' })

/**
 * Reads a deposit and all that is asked for with it, at one final block: two round trips, since the reads leave as one
 * JSON-RPC batch; a third one when the account has an owner that was not asked for. (Owners that are contracts are
 * asked for as well: nothing ever pins them.)
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, NO_SMART_BALANCE
 */
export async function readDeposit(
  network: Network,
  account: Address,
  { signers, orderHashes, withdrawals }: DepositQuestions,
): Promise<Deposit> {
  const { address } = smartBalanceOn(network)
  const contract = { address, abi: smartBalanceAbi } as const
  const block = await readFinalBlock(network)
  return network.call(async (client) => {
    const blockNumber = block.number
    const at = { blockNumber, allowFailure: false, batchSize: 0 } as const // one eth_call each, whatever its size
    const readPins = (ids: readonly Hex[]) =>
      client.multicall({
        ...at,
        contracts: ids.map(
          (id) => ({ ...contract, functionName: 'signerUntil', args: [account, id] }) as const,
        ),
      })
    const [[balance, exiting, exitReadyAt], pins, amounts, reached, used, owners] = await Promise.all([
      client.readContract({ ...contract, functionName: 'accounts', args: [account], blockNumber }),
      readPins(signers),
      client.multicall({
        ...at,
        contracts: orderHashes.map(
          (hash) => ({ ...contract, functionName: 'settledAmount', args: [hash] }) as const,
        ),
      }),
      client.multicall({
        ...at,
        contracts: orderHashes.map(
          (hash) => ({ ...contract, functionName: 'outcome', args: [hash] }) as const,
        ),
      }),
      client.multicall({
        ...at,
        contracts: withdrawals.map(
          (digest) => ({ ...contract, functionName: 'usedWithdrawal', args: [digest] }) as const,
        ),
      }),
      client.call({ to: account, data: getOwners, blockNumber }),
    ])
    const others = decodeOwners(owners.data)
      .map((owner) => pad(owner.toLowerCase() as Hex)) // an address is hex, and so is its lower case
      .filter((id) => !signers.includes(id))
    const asked = [...signers, ...others]
    const until = [...pins, ...(await readPins(others))]
    return {
      network: network.chainId,
      block,
      balance,
      exiting,
      exitReadyAt,
      askedSigners: asked,
      pinnedSigners: asked.filter((_, index) => BigInt(until[index] ?? 0) === pinned),
      settled: new Map(
        orderHashes.map((hash, index) => [
          hash,
          { amount: amounts[index] ?? 0n, outcome: toOutcome(reached[index] ?? 0) },
        ]),
      ),
      usedWithdrawals: new Set(withdrawals.filter((_, index) => used[index] === true)),
    }
  })
}

/** Nothing is at the address of an account that is not deployed. */
function decodeOwners(data: Hex | undefined): readonly Address[] {
  if (data === undefined || data === '0x') return []
  return decodeFunctionResult({ abi: safeAbi, functionName: 'getOwners', data })
}

const toOutcome = (value: number): Outcome | undefined =>
  value === outcomes.claimed ? 'claimed' : value === outcomes.failed ? 'failed' : undefined
