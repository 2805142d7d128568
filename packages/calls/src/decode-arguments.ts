import { type AbiFunction, decodeFunctionData, type Hex } from 'viem'
import { tryDecode } from './is-same-call.ts'

/** An argument as text. */
interface DecodedArgument {
  readonly name: string
  readonly value: string
}

/** Decodes the arguments of `abi` from call data. Undefined if the data is not a call of it. */
export const decodeArguments = (abi: AbiFunction, data: Hex): readonly DecodedArgument[] | undefined =>
  tryDecode(() => {
    const { args = [] } = decodeFunctionData({ abi: [abi], data })
    return abi.inputs.map((input, index) => ({
      name: `${index + 1}. ${input.name ? `${input.name} (${input.type})` : input.type}`,
      value: toText(args[index]),
    }))
  })

function toText(value: unknown): string {
  if (typeof value === 'object')
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part))
  return String(value)
}
