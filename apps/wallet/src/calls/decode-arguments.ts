import { type AbiFunction, decodeFunctionData, type Hex } from 'viem'

/** An argument as text. */
export interface DecodedArgument {
  readonly name: string
  readonly value: string
}

/** Decodes the arguments of `abi` from call data. Undefined if the data is not a call of it. */
export function decodeArguments(abi: AbiFunction, data: Hex): readonly DecodedArgument[] | undefined {
  try {
    const { args = [] } = decodeFunctionData({ abi: [abi], data })
    return abi.inputs.map((input, index) => ({
      name: `${index + 1}. ${input.name ? `${input.name} (${input.type})` : input.type}`,
      value: toText(args[index]),
    }))
  } catch {
    return undefined // viem throws on another selector and on arguments that cannot be decoded
  }
}

function toText(value: unknown): string {
  if (typeof value === 'object')
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part))
  return String(value)
}
