import { LanyardError } from '@lanyard/contracts'
import { type Address, type Hex, type PublicClient, parseAbi, serializeTransaction } from 'viem'
import type { NetworkConfig } from './config.ts'
import { isNoSuchContract } from './no-such-contract.ts'

/** A transaction, as far as its L1 data goes. */
export interface L1Transaction {
  readonly to: Address
  readonly data: Hex
}

/** What a transaction pays for its data on L1. */
export interface L1Fee {
  /** In all. */
  readonly wei: bigint
  /** As much of it as is charged as gas of the transaction, units of gas at the present base fee (Arbitrum). */
  readonly gas: bigint
}

const nothing: L1Fee = { wei: 0n, gas: 0n }

/** Predeploy of every OP Stack chain (specs.optimism.io, Predeploys). */
export const gasPriceOracle: Address = '0x420000000000000000000000000000000000000F'
const gasPriceOracleAbi = parseAbi(['function getL1Fee(bytes) view returns (uint256)'])

/** Answered by Arbitrum's nodes; there is no code at it (docs.arbitrum.io, NodeInterface). */
export const nodeInterface: Address = '0x00000000000000000000000000000000000000C8'
const nodeInterfaceAbi = parseAbi([
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) view returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)',
])

/**
 * What the L1 data of a transaction costs now: one eth_call, and none where the network charges nothing for it.
 *
 * @throws LanyardError `NETWORK_FAILED` when the answer is none, or above what the configuration allows: whoever signs
 * the operation would pay it
 */
export async function readL1Fee(
  client: PublicClient,
  { name, chainId, l1Fee }: Pick<NetworkConfig, 'name' | 'chainId' | 'l1Fee'>,
  transaction: L1Transaction,
): Promise<L1Fee> {
  if (!l1Fee) return nothing
  const refused = (why: string, cause?: unknown) =>
    new LanyardError('NETWORK_FAILED', {
      message: `${name}: the fee for L1 data cannot be used: ${why}.`,
      cause,
    })
  const read = l1Fee.kind === 'op-stack' ? readFromOracle : readFromNode
  const fee = await read(client, chainId, transaction).catch((error) => {
    throw isNoSuchContract(error) ? refused(`there is no ${l1Fee.kind} here to ask`, error) : error
  })
  if (fee.wei > BigInt(l1Fee.maximum)) {
    throw refused(`it is ${fee.wei} wei, and ${l1Fee.maximum} are allowed (l1Fee.maximum)`)
  }
  return fee
}

/** The most that its other fields can be: none of them is a zero byte, which would cost less. */
const largest = {
  type: 'eip1559',
  nonce: 0xff_ff_ff,
  gas: 0xff_ff_ffn,
  maxFeePerGas: 0xff_ff_ff_ff_ffn,
  maxPriorityFeePerGas: 0xff_ff_ff_ff_ffn,
} as const

/** The oracle takes the unsigned transaction and counts a signature by itself. */
async function readFromOracle(
  client: PublicClient,
  chainId: number,
  { to, data }: L1Transaction,
): Promise<L1Fee> {
  const wei = await client.readContract({
    address: gasPriceOracle,
    abi: gasPriceOracleAbi,
    functionName: 'getL1Fee',
    args: [serializeTransaction({ ...largest, chainId, to, data })],
  })
  return { wei, gas: 0n }
}

async function readFromNode(
  client: PublicClient,
  _chainId: number,
  { to, data }: L1Transaction,
): Promise<L1Fee> {
  const [gas, baseFee] = await client.readContract({
    address: nodeInterface,
    abi: nodeInterfaceAbi,
    functionName: 'gasEstimateL1Component',
    args: [to, false, data],
  })
  // A base fee of 0 would make any amount of gas look free.
  return { wei: gas * (baseFee > 0n ? baseFee : 1n), gas }
}
