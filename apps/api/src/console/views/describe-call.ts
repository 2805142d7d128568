import type { Call } from '@lanyard/accounts'
import { smartBalanceAbi } from '@lanyard/onchain'
import { decodeFunctionData, erc20Abi, getAddress } from 'viem'

/** A call of an operation as a person reads it. */
export interface CallView {
  readonly to: string
  /** wei */
  readonly value: string
  readonly data: string
  /** `transfer(recipient: 0x…, amount: 5)`; null for a function that this service does not know. */
  readonly description: string | null
}

const known = [...erc20Abi, ...smartBalanceAbi] as const

export function describeCall({ to, value, data }: Call): CallView {
  return { to: getAddress(to), value: String(value), data, description: describe(data) }
}

function describe(data: Call['data']): string | null {
  if (data === '0x') return 'plain transfer'
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi: known, data })
    const item = known.find((entry) => entry.type === 'function' && entry.name === functionName)
    const inputs: readonly { readonly name?: string }[] = item && 'inputs' in item ? item.inputs : []
    const shown = args.map((value, index) => `${inputs[index]?.name || `#${index}`}: ${toText(value)}`)
    return `${functionName}(${shown.join(', ')})`
  } catch {
    return null // viem throws on an unknown selector and on arguments that do not decode
  }
}

const toText = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member))
    : String(value)
