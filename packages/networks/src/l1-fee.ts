import { LanyardError } from '@lanyard/contracts'
import { type Address, type Hex, type PublicClient, parseAbi, serializeTransaction } from 'viem'
import type { NetworkConfig } from './config.ts'
import { isNoSuchContract } from './no-such-contract.ts'

/** The parts of a transaction that determine its L1 data. */
export interface L1Transaction {
  readonly to: Address
  readonly data: Hex
}

/** The charges of a rollup in addition to a transaction's gas, or as part of it. */
export interface L1Fee {
  /** The charge for its data on L1. */
  readonly wei: bigint
  /**
   * The part that is charged as gas of the transaction, in units of gas at the current base fee (Arbitrum).
   */
  readonly gas: bigint
  readonly operatorFee: OperatorFee
}

/**
 * The operator fee that an OP Stack chain may charge since Isthmus. It is linear in the gas that a
 * transaction uses, with another factor since Jovian (specs.optimism.io, protocol/isthmus/exec-engine and
 * protocol/jovian/exec-engine, Operator Fee).
 */
interface OperatorFee {
  /** Wei per transaction. */
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

/** Implemented by Arbitrum's nodes; there is no code at this address (docs.arbitrum.io, NodeInterface). */
export const nodeInterface: Address = '0x00000000000000000000000000000000000000C8'
const nodeInterfaceAbi = parseAbi([
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) view returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)',
])

/**
 * The current charges of a transaction other than its gas: one eth_call, or none if the network charges
 * nothing.
 *
 * @throws LanyardError `NETWORK_FAILED` if the response is invalid, or above the configured maximum: the
 * signer of the operation would pay it
 */
export async function readL1Fee(
  client: PublicClient,
  { name, chainId, l1Fee }: Pick<NetworkConfig, 'name' | 'chainId' | 'l1Fee'>,
  transaction: L1Transaction,
): Promise<L1Fee> {
  if (!l1Fee) return nothing
  const read = l1Fee.kind === 'op-stack' ? readFromOracle : readFromNode
  const fee = await read(client, chainId, transaction).catch((error) => {
    throw isNoSuchContract(error) ? unusable(name, `there is no ${l1Fee.kind} contract here`, error) : error
  })
  l1FeeAt({ name, l1Fee }, fee, 0n)
  return fee
}

/** How much the fees that two RPCs name may differ: L1's price of data moves by an eighth with each L1 block. */
const maxRatio = 2n

/**
 * The higher of two fees, so that neither RPC can make the relayer pay for the data; undefined if one is more than
 * twice the other, so that neither can make an account pay much more.
 */
export function higherL1Fee(a: L1Fee, b: L1Fee): L1Fee | undefined {
  const [lower, higher] = costOf(a) < costOf(b) ? [a, b] : [b, a]
  return costOf(higher) <= maxRatio * costOf(lower) ? higher : undefined
}

/** A contradiction of two RPCs as an unusable fee: nothing of the operator's is lent here. */
export const asL1FeeError =
  ({ name }: Pick<NetworkConfig, 'name'>) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError) || error.code !== 'NETWORK_UNCONFIRMED') throw error
    throw unusable(name, 'two RPCs contradict each other. Operators: replace the one that is wrong', error)
  }

/** With a typical operation's part of the operator fee. wei */
const costOf = ({ wei, operatorFee: { constant, perMillionGas } }: L1Fee): bigint =>
  wei + constant + perMillionGas

/**
 * The charges, other than gas, of a transaction that uses this much gas, in wei.
 *
 * @throws LanyardError `NETWORK_FAILED` above the configured maximum
 */
export function l1FeeAt(
  { name, l1Fee }: Pick<NetworkConfig, 'name' | 'l1Fee'>,
  { wei, operatorFee: { constant, perMillionGas } }: L1Fee,
  gasUsed: bigint,
): bigint {
  const total = wei + constant + (perMillionGas * gasUsed + million - 1n) / million
  if (!l1Fee || total <= BigInt(l1Fee.maximum)) return total
  throw unusable(name, `it is ${total} wei, but at most ${l1Fee.maximum} is allowed (l1Fee.maximum)`)
}

const unusable = (name: string, why: string, cause?: unknown) =>
  new LanyardError('NETWORK_FAILED', {
    message: `${name}: the fee for L1 data cannot be used: ${why}.`,
    cause,
  })

/** Maximum values of the other fields: no byte is zero, because zero bytes cost less. */
const largest = {
  type: 'eip1559',
  nonce: 0xff_ff_ff,
  gas: 0xff_ff_ffn,
  maxFeePerGas: 0xff_ff_ff_ff_ffn,
  maxPriorityFeePerGas: 0xff_ff_ff_ff_ffn,
} as const

/**
 * The oracle takes the unsigned transaction and adds a signature itself. The gas use is not known yet, so
 * this reads two points of the operator fee, which is linear. An oracle from before Isthmus has no operator
 * fee.
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
  // One eth_call: if the node fails, all three fail.
  if (wei.status === 'failure') throw wei.error
  if (constant.status === 'failure' || ofMillion.status === 'failure') return { ...nothing, wei: wei.result }
  // A contract that is not an oracle may return anything; the fee never decreases with gas.
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
