import {
  type CanonicalCheck,
  type CanonicalRead,
  createKnownAccounts,
  type ForeignPart,
  type SignedUserOperation,
} from '@lanyard/accounts'
import { memo } from '@lanyard/contracts'
import { multicall3, type Network } from '@lanyard/networks'
import {
  BaseError,
  decodeFunctionResult,
  encodeFunctionData,
  multicall3Abi,
  prepareEncodeFunctionData,
} from 'viem'
import { isAnswer, revertDataOf } from '../entry-point/simulate-handle-ops.ts'

const aggregate3 = prepareEncodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3' })

const knownAccounts = memo((config: Network['config']) => createKnownAccounts(config))

/**
 * Finds the senders whose validation may run code that this service does not know. Such code can pass every simulation and loop a block later.
 *
 * This is one request at the head. In the same turn of the event loop as the simulation of a bundle, both are one
 * JSON-RPC batch. It is no part of the simulation itself, because its reads would leave slots warm there.
 *
 * @param blockNumber - default: the head
 * @returns by sender in lower case, the first part that is foreign
 */
export async function findForeignSenders(
  network: Network,
  operations: readonly SignedUserOperation[],
  blockNumber?: bigint,
): Promise<Map<string, ForeignPart>> {
  const found = await readForeignParts(network, operations, blockNumber)
  if (found.size === 0 || operations.length === 1) return found
  // Foreign code may have used up the gas for the reads of others.
  const alone = await Promise.all(
    operations.map((operation) => readForeignParts(network, [operation], blockNumber)),
  )
  return new Map(alone.flatMap((part) => [...part]))
}

/** Units of gas for the reads of one sender, which need a fifth of it. */
const gasOfReads = 300_000n

async function readForeignParts(
  network: Network,
  operations: readonly SignedUserOperation[],
  blockNumber: bigint | undefined,
): Promise<Map<string, ForeignPart>> {
  const external = new Map<string, ForeignPart>()
  const checks = operations.map((operation): [string, CanonicalCheck] => [
    operation.sender.toLowerCase(),
    knownAccounts(network.config).check(operation),
  ])
  const all = checks.flatMap(([sender, check]) => {
    if ('reads' in check) return check.reads.map((read) => ({ ...read, sender }))
    external.set(sender, check.foreignPart)
    return []
  })
  if (all.length === 0) return external
  const answers = await readAll(network, all, { gas: gasOfReads * BigInt(operations.length), blockNumber })
  for (const [index, { sender, part, passes }] of all.entries()) {
    const { success, returnData } = answers[index] ?? {}
    if (!external.has(sender) && !(success && returnData && passes(returnData))) external.set(sender, part)
  }
  return external
}

/** @returns nothing if the reads ran out of gas */
async function readAll(
  network: Network,
  reads: readonly CanonicalRead[],
  { gas, blockNumber }: { readonly gas: bigint; readonly blockNumber: bigint | undefined },
) {
  const data = encodeFunctionData({
    ...aggregate3,
    args: [reads.map(({ target, callData }) => ({ target, callData, allowFailure: true }))],
  })
  const at = blockNumber === undefined ? { blockTag: 'latest' as const } : { blockNumber }
  return await network.call(async (client) => {
    try {
      const answer = await client.call({ to: multicall3, data, gas, ...at })
      return decodeFunctionResult({ abi: aggregate3.abi, data: answer.data ?? '0x' })
    } catch (error) {
      if (revertDataOf(error) === undefined && !isOutOfGas(error)) throw error
      return []
    }
  })
}

/** geth: "out of gas"; anvil: "EVM error OutOfGas"; both as a response of the node. */
const isOutOfGas = (error: unknown) =>
  isAnswer(error) && error instanceof BaseError && /out ?of ?gas/i.test(`${error.message} ${error.details}`)

/** What this process last read of senders, so that plans do not repeat what a simulation has refused. */
export interface RememberedSenders {
  /** The foreign part of a sender when it was last read; undefined if it had none. */
  readonly partOf: (sender: string) => ForeignPart | undefined
  /**
   * Reads the senders of operations now.
   *
   * @returns the foreign ones, by sender in lower case
   */
  readonly read: (operations: readonly SignedUserOperation[]) => Promise<ReadonlyMap<string, ForeignPart>>
}

/** Older ones are forgotten: they only cost a simulation more. */
const maxRemembered = 10_000

export function createRememberedSenders(network: Network): RememberedSenders {
  const known = new Map<string, ForeignPart>()
  return {
    partOf: (sender) => known.get(sender.toLowerCase()),
    async read(operations) {
      const external = await findForeignSenders(network, operations)
      for (const { sender } of operations) known.delete(sender.toLowerCase())
      for (const [sender, part] of external) known.set(sender, part)
      for (const [oldest] of known) {
        if (known.size <= maxRemembered) break
        known.delete(oldest)
      }
      return external
    },
  }
}

/**
 * Whether operations stay in a bundle whose senders are read now: foreign ones only if the plan has left them alone,
 * because it knew them. Otherwise the next plan does, and looks at what they owe.
 */
export function mayStayInBundle(
  { rememberedSenders }: { readonly rememberedSenders: RememberedSenders },
  batch: readonly { readonly operation: SignedUserOperation }[],
): (
  stored: { readonly operation: SignedUserOperation },
  external: ReadonlyMap<string, ForeignPart>,
) => boolean {
  const [only, ...others] = batch
  const isAlone =
    only !== undefined && others.length === 0 && rememberedSenders.partOf(only.operation.sender) !== undefined
  return ({ operation }, external) => isAlone || !external.has(operation.sender.toLowerCase())
}
