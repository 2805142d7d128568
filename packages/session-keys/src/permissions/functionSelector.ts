import { type Hex, parseAbiItem, toFunctionSelector } from 'viem'

/** The selector of a signature or of itself; nothing when it is neither. */
export function functionSelector(text: string): Hex | undefined {
  if (/^0x[0-9a-fA-F]{8}$/.test(text)) return text.toLowerCase() as Hex // just matched
  if (!/^[A-Za-z_$][\w$]*\(.*\)$/s.test(text)) return undefined
  try {
    // Refuses unknown types, which would be hashed to a selector that no contract has.
    const item = parseAbiItem(`function ${text}` as 'function f()')
    return toFunctionSelector(item)
  } catch {
    return undefined // viem throws on what it cannot parse
  }
}
