import { LanyardError } from '@lanyard/contracts'
import { type Address, type Hex, type PublicClient, parseAbi, serializeTransaction } from 'viem'
import type { NetworkConfig } from './config.ts'
import { isNoSuchContract } from './no-such-contract.ts'

/** A transaction, as far as its L1 data goes. */
export interface L1Transaction {
  readonly to: Address
  readonly data: Hex
}

/** What a transaction pays besides its gas, or within it, for being on a rollup. */
export interface L1Fee {
  /** For its data on L1. */
  readonly wei: bigint
  /** As much of it as is charged as gas of the transaction, units of gas at the present base fee (Arbitrum). */
  readonly gas: bigint
  readonly operatorFee: OperatorFee
}

/**
 * What an OP Stack chain may charge on top since Isthmus. It is linear in the gas that a transaction uses, with another
 * factor since Jovian (specs.optimism.io, protocol/isthmus/exec-engine and protocol/jovian/exec-engine, Operator Fee).
 */
interface OperatorFee {
  /** Wei a transaction. */
  readonly constant: bigint
  /** Wei for each million of gas. */
  readonly perMillionGas: bigint
}

const million = 1_000_000n
const noOperatorFee: OperatorFee = { constant: 0n, perMillionGas: 0n }
const nothing: L1Fee = { wei: 0n, gas: 0n, operatorFee: noOperatorFee }

/** Predeploy of every OP Stack chain (specs.optimism.io, Predeploys). */
export const gasPriceOracle: Address = '0x420000000000000000000000000000000000000F'
const gasPriceOracleAbi = parseAbi([
  'function getL1Fee(bytes) view returns (uint256)',
  // Since Isthmus (specs.optimism.io, protocol/isthmus/predeploys).
  'function getOperatorFee(uint256) view returns (uint256)',
])

/** Answered by Arbitrum's nodes; there is no code at it (docs.arbitrum.io, NodeInterface). */
export const nodeInterface: Address = '0x00000000000000000000000000000000000000C8'
const nodeInterfaceAbi = parseAbi([
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) view returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)',
])

/**
 * What a transaction costs now besides its gas: one eth_call, and none where the network charges nothing for it.
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
  const read = l1Fee.kind === 'op-stack' ? readFromOracle : readFromNode
  const fee = await read(client, chainId, transaction).catch((error) => {
    throw isNoSuchContract(error) ? unusable(name, `there is no ${l1Fee.kind} here to ask`, error) : error
  })
  l1FeeAt({ name, l1Fee }, fee, 0n)
  return fee
}

/**
 * What a transaction that uses so much gas pays besides it, wei.
 *
 * @throws LanyardError `NETWORK_FAILED` above what the configuration allows
 */
export function l1FeeAt(
  { name, l1Fee }: Pick<NetworkConfig, 'name' | 'l1Fee'>,
  { wei, operatorFee: { constant, perMillionGas } }: L1Fee,
  gasUsed: bigint,
): bigint {
  const total = wei + constant + (perMillionGas * gasUsed + million - 1n) / million
  if (!l1Fee || total <= BigInt(l1Fee.maximum)) return total
  throw unusable(name, `it is ${total} wei, and ${l1Fee.maximum} are allowed (l1Fee.maximum)`)
}

const unusable = (name: string, why: string, cause?: unknown) =>
  new LanyardError('NETWORK_FAILED', {
    message: `${name}: the fee for L1 data cannot be used: ${why}.`,
    cause,
  })

/** The most that its other fields can be: none of them is a zero byte, which would cost less. */
const largest = {
  type: 'eip1559',
  nonce: 0xff_ff_ff,
  gas: 0xff_ff_ffn,
  maxFeePerGas: 0xff_ff_ff_ff_ffn,
  maxPriorityFeePerGas: 0xff_ff_ff_ff_ffn,
} as const

/**
 * The oracle takes the unsigned transaction and counts a signature by itself. How much gas it will use is not known
 * yet: two points of the operator's fee are its whole line. An oracle from before Isthmus has none, and charges none.
 */
async function readFromOracle(
  client: PublicClient,
  chainId: number,
  { to, data }: L1Transaction,
): Promise<L1Fee> {
  const oracle = { address: gasPriceOracle, abi: gasPriceOracleAbi } as const
  const operatorFeeOf = (gas: bigint) => ({ ...oracle, functionName: 'getOperatorFee', args: [gas] }) as const
  const transaction = serializeTransaction({ ...largest, chainId, to, data })
  const [wei, constant, ofMillion] = await client.multicall({
    contracts: [
      { ...oracle, functionName: 'getL1Fee', args: [transaction] },
      operatorFeeOf(0n),
      operatorFeeOf(million),
    ],
  })
  // One eth_call: when the node fails, all three have failed.
  if (wei.status === 'failure') throw wei.error
  if (constant.status === 'failure' || ofMillion.status === 'failure') return { ...nothing, wei: wei.result }
  // Code that is no oracle may answer anything; nobody is paid for using gas.
  const perMillionGas = greater(ofMillion.result - constant.result, 0n)
  return { ...nothing, wei: wei.result, operatorFee: { constant: constant.result, perMillionGas } }
}

const greater = (a: bigint, b: bigint) => (a > b ? a : b)

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
  return { ...nothing, wei: gas * (baseFee > 0n ? baseFee : 1n), gas }
}
