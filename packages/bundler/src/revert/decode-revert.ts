import { decodeErrorResult, type Hex, parseAbi, size, slice } from 'viem'
import { knownErrors } from './known-errors.ts'
import { panicCodes } from './panic-codes.ts'
import { safeCodes } from './safe-codes.ts'

export interface DecodedRevert {
  /**
   * Human-readable: `ERC20InsufficientBalance(0x…, 0, 5)`, `GS026: invalid owner`,
   * `arithmetic overflow or underflow`.
   */
  readonly reason: string
  /** `Error(string)`, `ERC20InsufficientBalance(address,uint256,uint256)`, …; absent when unknown. */
  readonly signature?: string
  readonly args?: readonly unknown[]
}

const builtInErrors = parseAbi(['error Error(string reason)', 'error Panic(uint256 code)'])
const abi = [...builtInErrors, ...knownErrors]

/** Longer reasons are truncated, because they come from untrusted contracts. Characters. */
const maxReasonLength = 500

/** Describes the revert data of a call in words. Never throws, because the data is untrusted. */
export function decodeRevert(data: Hex): DecodedRevert {
  if (size(data) === 0) return { reason: 'reverted without a reason (or ran out of gas)' }
  if (size(data) < 4) return { reason: `reverted with ${data}` }
  try {
    const { abiItem, args = [] } = decodeErrorResult({ abi, data })
    const signature = `${abiItem.name}(${abiItem.inputs.map(({ type }) => type).join(',')})`
    return { reason: inWords(abiItem.name, args), signature, args }
  } catch {
    return { reason: unknownError(data) }
  }
}

function inWords(name: string, args: readonly unknown[]): string {
  const [first] = args
  if (name === 'Error') return explainSafeCode(shorten(String(first)))
  if (name === 'Panic') return panicCodes[String(first)] ?? `panic ${String(first)}`
  return shorten(`${name}(${args.map(String).join(', ')})`)
}

function explainSafeCode(reason: string): string {
  const explanation = safeCodes[reason]
  return explanation ? `${reason}: ${explanation}` : reason
}

function unknownError(data: Hex): string {
  const selector = slice(data, 0, 4)
  return size(data) === 4 ? `custom error ${selector}` : shorten(`custom error ${selector} with ${data}`)
}

const shorten = (text: string) =>
  text.length > maxReasonLength ? `${text.slice(0, maxReasonLength)}…` : text
