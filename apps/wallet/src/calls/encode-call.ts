import {
  type AbiFunction,
  type AbiParameter,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddress,
  isHex,
  parseAbiItem,
} from 'viem'
import { t } from '../i18n/t.ts'

export type ParseSignatureResult =
  | { readonly ok: true; readonly abi: AbiFunction }
  | { readonly ok: false; readonly message: string }

/**
 * Parses a human-readable function signature: `transfer(address,uint256)`, with or without names and
 * `function`.
 */
export function parseFunctionSignature(text: string): ParseSignatureResult {
  const signature = text
    .trim()
    .replace(/^function\s+/, '')
    .replace(/;$/, '')
  if (signature === '')
    return { ok: false, message: t('Enter a function, such as transfer(address,uint256).') }
  try {
    // abitype knows the type of the parsed item only for literals.
    const abi: unknown = parseAbiItem(`function ${signature}` as 'function f()')
    return { ok: true, abi: abi as AbiFunction }
  } catch {
    return { ok: false, message: t('That is not a function signature. Example: transfer(address,uint256)') }
  }
}

export type EncodeCallResult =
  | { readonly ok: true; readonly data: Hex }
  | { readonly ok: false; readonly argument?: number; readonly message: string }

/**
 * Encodes call data from typed text, one text for each argument: numbers in decimal or 0x, bytes as 0x,
 * `true`/`false`, arrays and tuples as JSON with quoted numbers.
 */
export function encodeCall(abi: AbiFunction, texts: readonly string[]): EncodeCallResult {
  const args: unknown[] = []
  for (const [argument, parameter] of abi.inputs.entries()) {
    const value = parseArgument(parameter, texts[argument] ?? '')
    if (value === undefined)
      return {
        ok: false,
        argument,
        message: t('Expected {expected}.', { expected: expectedText(parameter.type) }),
      }
    args.push(value)
  }
  try {
    return { ok: true, data: encodeFunctionData({ abi: [abi], functionName: abi.name, args }) }
  } catch {
    return { ok: false, message: t('These arguments do not fit the function.') }
  }
}

/** @returns undefined if the text does not match the type; viem then checks ranges and lengths. */
function parseArgument({ type }: AbiParameter, text: string): unknown {
  const typed = text.trim()
  if (type.endsWith(']') || type.startsWith('tuple')) return parseJson(typed)
  if (/^u?int/.test(type)) return /^(-?\d+|0x[0-9a-fA-F]+)$/.test(typed) ? BigInt(typed) : undefined
  if (type === 'address') return isAddress(typed) ? getAddress(typed) : undefined
  if (type === 'bool') return typed === 'true' ? true : typed === 'false' ? false : undefined
  if (type.startsWith('bytes')) return isHex(typed) && typed.length % 2 === 0 ? typed : undefined
  return text
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function expectedText(type: string): string {
  if (type.endsWith(']')) return t('a JSON array of {element}', { element: type.replace(/\[\d*\]$/, '') })
  if (type.startsWith('tuple')) return t('a JSON object or array')
  if (/^u?int/.test(type)) return t('a whole number ({type})', { type })
  if (type === 'address') return t('an address: 0x and 40 hexadecimal digits, with a correct checksum')
  if (type === 'bool') return t('true or false')
  return type
}
