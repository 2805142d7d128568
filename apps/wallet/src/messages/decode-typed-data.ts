import type { AccountTypedData } from '@lanyard/accounts'

/** A signed member of typed data. */
export interface TypedDataField {
  readonly name: string
  /** The EIP-712 type. */
  readonly type: string
  /** The value as text. Undefined if there are nested members instead. */
  readonly value: string | undefined
  readonly members: readonly TypedDataField[]
}

/** Maximum depth. EIP-712 has no limit, but people do not read deeper. */
const maxDepth = 16

/**
 * Decodes typed data to a tree of the signed members, which are those named by its types. Other members of a
 * message are not signed, so they are not shown.
 */
export function decodeTypedData({
  types,
  primaryType,
  message,
}: AccountTypedData): readonly TypedDataField[] {
  return membersOf(types, primaryType, message, maxDepth)
}

type Types = AccountTypedData['types']

function membersOf(types: Types, struct: string, value: unknown, depth: number): TypedDataField[] {
  const fields = Object.hasOwn(types, struct) ? (types[struct] ?? []) : []
  return fields.map(({ name, type }) => toField(types, name, type, memberOf(value, name), depth))
}

function memberOf(value: unknown, name: string): unknown {
  const holder = Object(value)
  return Object.hasOwn(holder, name) ? holder[name] : undefined
}

function toField(types: Types, name: string, type: string, value: unknown, depth: number): TypedDataField {
  const field = { name: showText(name), type: showText(type) }
  if (depth === 0) return { ...field, value: '…', members: [] }
  const element = /^(.+)\[\d*\]$/.exec(type)?.[1]
  if (element !== undefined && Array.isArray(value)) {
    const members = value.map((one, index) => toField(types, String(index), element, one, depth - 1))
    return { ...field, value: undefined, members }
  }
  if (Object.hasOwn(types, type))
    return { ...field, value: undefined, members: membersOf(types, type, value, depth - 1) }
  return { ...field, value: showValue(type, value), members: [] }
}

function showValue(type: string, value: unknown): string {
  const integer = /^u?int\d*$/.test(type) ? toInteger(value) : undefined
  return integer === undefined ? showText(String(value)) : String(integer)
}

/** Parses an integer in JSON: a number, or a decimal or hex string. Undefined for anything else. */
export function toInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value !== 'string' || !/^(-?\d+|0x[0-9a-fA-F]+)$/.test(value)) return undefined
  return BigInt(value)
}

/**
 * Invisible characters, and characters that change the order of others: C0 and C1 controls except the line
 * break, zero-width and format characters (Unicode Cf, which includes bidi embeddings, overrides and
 * isolates), line and paragraph separators.
 */
const invisible = /[^\P{Cc}\n]|\p{Cf}|\p{Zl}|\p{Zp}/gu

/** Makes untrusted text safe to show: an invisible character becomes `\u{202e}`, for example. */
export const showText = (text: string): string =>
  text.replace(invisible, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
