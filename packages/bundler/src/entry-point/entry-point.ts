import {
  packUserOperation,
  requiredPrefund,
  type SignedUserOperation,
  type UserOperation,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import {
  blocksIn,
  entryPointsOf,
  entryPointV08,
  type Network,
  type NetworkConfig,
  walkBack,
} from '@lanyard/networks'
import { type Address, encodeFunctionData, getAbiItem, type Hex, isAddressEqual } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'

type Pointed = Pick<UserOperation, 'entryPoint'>

/** The EntryPoint that an operation goes through. */
export const entryPointOf = (
  { config }: { readonly config: Pick<NetworkConfig, 'entryPoint'> },
  { entryPoint }: Pointed,
): Address => entryPoint ?? config.entryPoint

/** Whether an operation goes through EntryPoint v0.8, which only EOAs may call, and which has delegated EOAs as senders. */
export const usesEntryPoint08 = ({ entryPoint }: Pointed): boolean =>
  entryPoint !== undefined && isAddressEqual(entryPoint, entryPointV08)

/** Whether a network has the EntryPoint of an operation. */
export const hasEntryPoint = (
  { config }: { readonly config: Pick<NetworkConfig, 'entryPoint' | 'accountKinds'> },
  operation: Pointed,
): boolean => entryPointsOf(config).some((one) => isAddressEqual(one, entryPointOf({ config }, operation)))

/** Call data of `EntryPoint.handleOps(ops, beneficiary)`. */
export const encodeHandleOps = (operations: readonly SignedUserOperation[], beneficiary: Address): Hex =>
  encodeFunctionData({
    abi: entryPoint07Abi,
    functionName: 'handleOps',
    args: [operations.map(packUserOperation), beneficiary],
  })

const userOperationEvent = getAbiItem({ abi: entryPoint07Abi, name: 'UserOperationEvent' })

/** How far back to search if it is unknown when an operation could first be sent, milliseconds. */
const withoutTimeout = 3 * 3_600_000

/**
 * Whether the chain has the operation's UserOperationEvent, in anyone's bundle. While its nonce is unused the
 * operation cannot be on chain, so no logs are read.
 *
 * @param fromBlock - the head when it could first be sent; by default the last three hours are searched.
 */
export async function hasLanded(
  network: Network,
  operation: Pick<SignedUserOperation, 'sender' | 'nonce' | 'entryPoint'>,
  userOpHash: Hex,
  fromBlock?: bigint,
): Promise<boolean> {
  const entryPoint = entryPointOf(network, operation)
  const [next, head] = await network.call((client) =>
    Promise.all([readNonce(client, entryPoint, operation), client.getBlockNumber()]),
  )
  if (next <= operation.nonce) return false
  const since = fromBlock ?? head - blocksIn(network.config, withoutTimeout)
  const walk = walkBack(network, since, (client, range) =>
    client.getLogs({ ...range, address: entryPoint, event: userOperationEvent, args: { userOpHash } }),
  )
  for await (const { result } of walk) if (result.length > 0) return true
  return false
}

const readNonce = (
  client: Network['client'],
  entryPoint: Address,
  { sender, nonce }: Pick<SignedUserOperation, 'sender' | 'nonce'>,
): Promise<bigint> =>
  client.readContract({
    address: entryPoint,
    abi: entryPoint07Abi,
    functionName: 'getNonce',
    args: [sender, nonce >> 64n],
  })

/** The figures for AA21: the operation's maximum cost and the account's funds, in wei as decimal strings. */
export async function insufficientFunds(
  network: Network,
  operation: SignedUserOperation,
): Promise<LanyardError> {
  const [balance, deposit] = await network.call((client) =>
    Promise.all([
      client.getBalance({ address: operation.sender }),
      client.readContract({
        address: entryPointOf(network, operation),
        abi: entryPoint07Abi,
        functionName: 'balanceOf',
        args: [operation.sender],
      }),
    ]),
  )
  const required = requiredPrefund(operation)
  const available = balance + deposit
  const missing = required > available ? required - available : 0n
  return new LanyardError('INSUFFICIENT_FUNDS', {
    message: `The account needs ${required} wei for this operation and has ${available}.`,
    details: {
      entryPointCode: 'AA21',
      required: required.toString(),
      available: available.toString(),
      missing: missing.toString(),
    },
  })
}
