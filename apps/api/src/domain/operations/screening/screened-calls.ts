import type { Call } from '@lanyard/accounts'
import type { NetworkConfig } from '@lanyard/networks'
import { ownershipAbi, smartBalanceAbi } from '@lanyard/onchain'
import { type Address, decodeFunctionData, erc20Abi, getAddress, isAddressEqual } from 'viem'

/** Functions that take what belongs to the account, or stop what others started: they are never screened. */
const exempt = {
  smartBalance: ['requestExit', 'finalizeExit'],
  ownership: ['cancelRecovery', 'executeRecovery', 'startRecovery'],
} as const

/**
 * Whether all calls are cancellations, exits or recoveries, for the contracts of this network. A batch with anything else is
 * screened as a whole.
 */
export function isExempt(
  calls: readonly Call[],
  { smartBalance, ownership }: Pick<NetworkConfig, 'smartBalance' | 'ownership'>,
): boolean {
  if (calls.length === 0) return false
  return calls.every((call) => {
    if (call.value !== 0n) return false
    if (smartBalance && isAddressEqual(call.to, smartBalance))
      return isOneOf(call, smartBalanceAbi, exempt.smartBalance)
    if (ownership && isAddressEqual(call.to, ownership)) return isOneOf(call, ownershipAbi, exempt.ownership)
    return false
  })
}

function isOneOf(
  { data }: Call,
  abi: typeof smartBalanceAbi | typeof ownershipAbi,
  names: readonly string[],
): boolean {
  try {
    return names.includes(decodeFunctionData({ abi, data }).functionName)
  } catch {
    return false // no function of the contract
  }
}

const known = [...erc20Abi, ...smartBalanceAbi] as const

/** A call of a function that this service knows: of ERC-20 or of SmartBalance. */
interface KnownCall {
  readonly name: string
  /** In order; the name is empty if the ABI has none. */
  readonly args: readonly { readonly name: string; readonly value: unknown }[]
}

/** @returns undefined for any other call: viem throws on an unknown selector and on arguments that do not decode */
function decodeKnownCall({ data }: Pick<Call, 'data'>): KnownCall | undefined {
  try {
    const { functionName: name, args = [] } = decodeFunctionData({ abi: known, data })
    const item = known.find((entry) => entry.type === 'function' && entry.name === name)
    const inputs: readonly { readonly name?: string }[] = item && 'inputs' in item ? item.inputs : []
    return { name, args: args.map((value, index) => ({ name: inputs[index]?.name ?? '', value })) }
  } catch {
    return undefined
  }
}

/** An argument as text: amounts are decimal, structs JSON. */
const argumentText = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member))
    : String(value)

/** A call as the operator's program gets it: decoded where it is one of ERC-20 or of SmartBalance. */
export function describeScreenedCall(call: Call) {
  const decoded = decodeKnownCall(call)
  return {
    to: getAddress(call.to),
    value: String(call.value),
    data: call.data,
    ...(decoded && {
      function: decoded.name,
      arguments: decoded.args.map(({ value }) => argumentText(value)),
    }),
  }
}

/** Everyone that the calls name: their targets, and the addresses among the arguments of known functions. */
export function partiesOf(calls: readonly Call[]): readonly string[] {
  const named = calls.flatMap((call) => [
    call.to,
    ...(decodeKnownCall(call)?.args ?? [])
      .map(({ value }) => value)
      .filter((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)),
  ])
  return [...new Set(named.map((address) => getAddress(address as Address)))] // by the expression
}
