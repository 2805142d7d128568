import type { Call } from '@lanyard/accounts'
import { smartBalanceAbi } from '@lanyard/onchain'
import { decodeFunctionData, erc20Abi } from 'viem'

const known = [...erc20Abi, ...smartBalanceAbi] as const

/** A call of a function that this service knows: of ERC-20 or of SmartBalance. */
interface KnownCall {
  readonly name: string
  /** In order; the name is empty if the ABI has none. */
  readonly args: readonly { readonly name: string; readonly value: unknown }[]
}

/** @returns undefined for any other call: viem throws on an unknown selector and on arguments that do not decode */
export function decodeKnownCall({ data }: Pick<Call, 'data'>): KnownCall | undefined {
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
export const argumentText = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member))
    : String(value)
