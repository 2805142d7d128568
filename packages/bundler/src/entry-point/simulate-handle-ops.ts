import type { SignedUserOperation } from '@lanyard/accounts'
import { multicall3, type Network } from '@lanyard/networks'
import {
  type Address,
  BaseError,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isHex,
  multicall3Abi,
  type PublicClient,
  prepareEncodeFunctionData,
  type StateOverride,
} from 'viem'
import { codeOfSenders } from '../eip7702/authorization.ts'
import type { TransactionFees } from '../sender/transaction-fees.ts'
import { encodeHandleOps, entryPointOf, usesEntryPoint08 } from './entry-point.ts'
import { type HandleOpsFailure, readHandleOpsFailure } from './handle-ops-failure.ts'

/**
 * The revert data of a simulated call, extracted from the error of a node or a bundler: `data` as hex (geth,
 * anvil, reth), `data.data` (older hardhat), or within a text (`Reverted 0x…`, Nethermind).
 *
 * @returns undefined if the error is not a revert, `0x` if it reverted without data.
 */
export function revertDataOf(error: unknown): Hex | undefined {
  if (!(error instanceof BaseError)) return undefined
  let found: Hex | undefined
  error.walk((inner) => {
    found = dataOf(inner)
    return found !== undefined
  })
  if (found !== undefined) return found
  const says = error.walk(
    (inner) =>
      inner instanceof Error &&
      (inner.name === 'ExecutionRevertedError' || /execution reverted/i.test(inner.message)),
  )
  return says ? '0x' : undefined
}

function dataOf(error: unknown): Hex | undefined {
  if (typeof error !== 'object' || error === null || !('data' in error)) return undefined
  const { data } = error
  if (isHex(data)) return data
  if (typeof data === 'string') return /0x(?:[0-9a-f]{2})+/i.exec(data)?.[0] as Hex | undefined // the expression starts with 0x
  return dataOf(data)
}

/** Whether a node responded with an error, as opposed to no response at all. */
export const isAnswer = (error: unknown) =>
  error instanceof BaseError &&
  error.walk((inner) => inner instanceof Error && 'code' in inner && typeof inner.code === 'number') !== null

interface SimulatedTransaction {
  readonly network: Network
  /** Sender of the transaction and beneficiary of the fees. */
  readonly relayer: Address
  /** Fees of the transaction. Without them the operations see a gas price of 0. */
  readonly fees: TransactionFees | undefined
}

interface HandleOpsSimulation extends SimulatedTransaction {
  /** For one EntryPoint. Senders with an authorisation are delegated during the simulation. */
  readonly operations: readonly SignedUserOperation[]
  /** Gas limit of the transaction. */
  readonly gas: bigint
  /** A block of the past. Default: the head. */
  readonly blockNumber?: bigint
}

/**
 * Runs the real `handleOps` by one eth_call at the head of the chain, exactly as the relayer would send it.
 *
 * @returns undefined if every operation passes validation (an operation whose call reverts is still
 * included).
 */
export async function simulateHandleOps({
  network,
  operations,
  relayer,
  gas,
  fees,
  blockNumber,
}: HandleOpsSimulation): Promise<HandleOpsFailure | undefined> {
  const [first] = operations
  const transaction = {
    ...{ account: relayer, data: encodeHandleOps(operations, relayer), gas },
    to: entryPointOf(network, first ?? {}),
    ...codeOfSenders(operations),
    ...(blockNumber === undefined ? { blockTag: 'latest' as const } : { blockNumber }),
  }
  return await network.call(async (client) => {
    try {
      await callWithFees(client, transaction, fees)
      return undefined
    } catch (error) {
      const data = revertDataOf(error)
      if (data === undefined) throw error
      return readHandleOpsFailure(data)
    }
  })
}

interface EthCall {
  readonly account: Address
  readonly to: Address
  readonly data: Hex
  readonly gas: bigint
  readonly stateOverride?: StateOverride
}

/**
 * With fees, a node also checks that the relayer can pay and that the fees reach the base fee. Those errors say nothing
 * about the operations and are handled when the transaction is sent.
 */
async function callWithFees(
  client: PublicClient,
  call: EthCall,
  fees: TransactionFees | undefined,
): Promise<Hex> {
  const run = async (offered?: TransactionFees) => (await client.call({ ...call, ...offered })).data ?? '0x'
  if (!fees) return await run()
  return await run(fees).catch((error: unknown) => {
    if (revertDataOf(error) !== undefined || !isAnswer(error)) throw error
    return run()
  })
}

const aggregate3 = prepareEncodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3' })

/**
 * Runs `handleOps` with one operation after the other by one eth_call, through Multicall3, for one round trip.
 *
 * An operation that fails leaves nothing behind. One that passes does: its call runs too, and may deploy the sender of
 * a later one or take what a shared paymaster needs. So a failure says what the operation does as the only one of its
 * bundle only if none before it passed. A pass is no more than a guess: the bundle is simulated as it is sent.
 *
 * @param gas - of all of them
 * @returns undefined if the call says nothing about some of them: EntryPoint v0.8 is called by EOAs only, a node may
 * have no Multicall3, or give an eth_call less gas
 */
export async function simulateEachOperation({
  network,
  operations,
  relayer,
  gas,
  fees,
}: Omit<HandleOpsSimulation, 'blockNumber'>): Promise<(HandleOpsFailure | undefined)[] | undefined> {
  if (operations.some(usesEntryPoint08)) return undefined
  const data = encodeFunctionData({
    ...aggregate3,
    args: [
      operations.map((operation) => ({
        target: entryPointOf(network, operation),
        allowFailure: true,
        callData: encodeHandleOps([operation], relayer),
      })),
    ],
  })
  return await network.call(async (client) => {
    try {
      const answer = await callWithFees(client, { account: relayer, to: multicall3, data, gas }, fees)
      if (answer === '0x') return undefined
      const results = decodeFunctionResult({ abi: aggregate3.abi, data: answer })
      const failures = results.map(({ success, returnData }) =>
        success ? undefined : readHandleOpsFailure(returnData),
      )
      const isConclusive = failures.every((failure) => failure === undefined || failure.index === 0)
      return isConclusive && failures.length === operations.length ? failures : undefined
    } catch (error) {
      if (isAnswer(error)) return undefined
      throw error
    }
  })
}
