import type { AbiFunction, Hex } from 'viem'
import { decodeArguments } from '../calls/decode-arguments.ts'
import { rich } from '../i18n/t.ts'

interface FunctionFactsProps {
  readonly data: Hex
  readonly selector: Hex
  readonly abi: AbiFunction | undefined
}

/** The called function. Its arguments are decoded from the bytes if the person named the function. */
export function FunctionFacts({ data, selector, abi }: FunctionFactsProps) {
  const args = abi && decodeArguments(abi, data)
  if (!args)
    return (
      <p className="text-sm">
        {rich('Function {code}', { code: <code className="font-mono">{selector}</code> })}
      </p>
    )
  return (
    <div className="grid gap-2 text-sm">
      <p>{rich('Function {code}', { code: <code className="font-medium font-mono">{abi.name}</code> })}</p>
      <dl className="grid gap-1.5 border-line border-l-2 pl-3">
        {args.map(({ name, value }) => (
          <div key={name}>
            <dt className="text-muted">{name}</dt>
            <dd className="break-all font-mono">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
