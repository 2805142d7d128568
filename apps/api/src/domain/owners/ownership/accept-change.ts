import { encodeInitCode } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { multicall3, type Network, type Networks } from '@lanyard/networks'
import { ownershipAbi } from '@lanyard/onchain'
import { type Address, BaseError, encodeFunctionData, type Hex, multicall3Abi, size, sliceHex } from 'viem'
import { currentMeter } from '../../../platform/log/current-request.ts'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { onEachNetwork } from '../../accounts/owners/read-owners.ts'
import { readOwnership } from './read-ownership.ts'
import type { SignedChange } from './signed-change.ts'

/**
 * One call that brings a network up to date: the account's deployment if it is not there, then each change. Nobody has
 * the account before its owners are those that were signed, and if one call fails, none counts.
 */
export function encodeLog(
  module: Address,
  { address: account, owner, deployment }: Wallet,
  deployed: boolean,
  changes: readonly Pick<SignedChange, 'sequence' | 'kind' | 'data' | 'signature'>[],
): { readonly to: Address; readonly data: Hex } {
  const applied = changes.map(({ sequence, kind, data, signature }) => ({
    target: module,
    allowFailure: false,
    callData: encodeFunctionData({
      abi: ownershipAbi,
      functionName: 'applyChange',
      args: [account, sequence, kind, data, signature],
    }),
  }))
  const [first] = applied
  if (deployed && first && applied.length === 1) return { to: module, data: first.callData }
  return {
    to: multicall3,
    data: encodeFunctionData({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [deployed ? applied : [creationOf(owner, deployment), ...applied]],
    }),
  }
}

/** initCode is factory ‖ call data (ERC-4337). Here the factory is called directly. */
const creationOf = (owner: Wallet['owner'], deployment: Wallet['deployment']) => ({
  target: deployment.factory,
  allowFailure: false,
  callData: sliceHex(encodeInitCode(owner, deployment), 20),
})

/** Gas of one simulation: a deployment, and a passkey that is verified in Solidity for each earlier change. */
const maxGas = 10_000_000n

/** Changes that an account can have here before any network has them. */
const maxAhead = 16

/**
 * Finds the form of a signature with which a change would succeed now, after the earlier ones, on one network at least.
 * The account itself decides, by a simulation.
 *
 * @param earlier - signed changes that some networks do not have yet
 * @throws INVALID_SIGNATURE, NETWORK_UNAVAILABLE if no network could be asked
 */
export async function acceptSignature(
  networks: Networks,
  module: Address,
  wallet: Wallet,
  earlier: readonly SignedChange[],
  change: Omit<SignedChange, 'hash' | 'sentBy'>,
): Promise<Hex> {
  let request = 0
  const forms = formsOf(change.signature)
  const answers = await onEachNetwork(networks, async (network) => {
    if (!network.config.ownership) return undefined
    // One block for the state and for the simulation: the changes that are left follow from the state.
    const { number } = await network.head()
    const { deployed, enabled, sequence } = await readOwnership(network, module, wallet, number)
    request++
    const before = earlier.filter((known) => known.sequence >= sequence && known.sequence < change.sequence)
    const isNext = sequence + BigInt(before.length) === change.sequence
    if (!enabled || !isNext || before.length > maxAhead) return undefined
    for (const signature of forms) {
      const call = encodeLog(module, wallet, deployed, [...before, { ...change, signature }])
      if (await succeeds(network, call, number)) return { signature }
    }
    return undefined
  })
  const found = answers.find((answer) => answer !== undefined && 'signature' in answer)
  if (found && 'signature' in found) return found.signature
  if (request === 0) throw new LanyardError('NETWORK_UNAVAILABLE')
  throw new LanyardError('INVALID_SIGNATURE', {
    message:
      'On no network would this change succeed now: no owner signed it, its sequence is not the next one, or the account does not have the module.',
  })
}

/** @throws NETWORK_UNAVAILABLE, NETWORK_FAILED */
async function succeeds(
  network: Network,
  call: ReturnType<typeof encodeLog>,
  blockNumber: bigint,
): Promise<boolean> {
  currentMeter()?.addGas(maxGas)
  try {
    await network.call((client) => client.call({ ...call, gas: maxGas, blockNumber }))
    return true
  } catch (error) {
    // Only reverts reach this point as viem errors.
    if (error instanceof BaseError) return false
    throw error
  }
}

/**
 * An EOA signs the hash itself (v 27, 28), or with the prefix of personal_sign, which a Safe takes as v + 4; hardware
 * wallets give v as 0, 1.
 */
function formsOf(signature: Hex): readonly Hex[] {
  if (size(signature) !== 65) return [signature]
  const rs = signature.slice(0, -2)
  const v = Number.parseInt(signature.slice(-2), 16)
  const parity = v < 2 ? v : (v - 27) % 4
  if (parity !== 0 && parity !== 1) return [signature]
  return [27 + parity, 31 + parity].map((form) => `${rs}${form.toString(16)}` as Hex) // hex again
}
