import type { Call } from '@lanyard/accounts'
import { getAddress } from 'viem'
import { argumentText, decodeKnownCall } from '../../domain/operations/known-calls.ts'

/** A call of an operation as a person reads it. */
export interface CallView {
  readonly to: string
  /** wei */
  readonly value: string
  readonly data: string
  /** `transfer(recipient: 0x…, amount: 5)`; null for a function that this service does not know. */
  readonly description: string | null
}

export function describeCall({ to, value, data }: Call): CallView {
  return { to: getAddress(to), value: String(value), data, description: describe(data) }
}

function describe(data: Call['data']): string | null {
  if (data === '0x') return 'plain transfer'
  const call = decodeKnownCall({ data })
  if (!call) return null
  const shown = call.args.map(({ name, value }, index) => `${name || `#${index}`}: ${argumentText(value)}`)
  return `${call.name}(${shown.join(', ')})`
}
