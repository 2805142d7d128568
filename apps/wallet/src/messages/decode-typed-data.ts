import type { AccountTypedData } from '@lanyard/accounts'
import { showText } from './show-text.ts'

/** A member of typed data, as it is signed. */
export interface TypedDataField {
  readonly name: string
  /** The EIP-712 type. */
  readonly type: string
  /** The value in words; undefined where there are members instead. */
  readonly value: string | undefined
  readonly members: readonly TypedDataField[]
}

/** EIP-712 has no bound; a person reads no more. */
const maxDepth = 16

/**
 * Typed data as a tree of what is signed: the members that its types name, and nothing else. What a message has besides is
 * not signed, so it is not shown.
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

/** An integer as JSON has it: a number, a decimal or a hex text. Undefined for anything else. */
export function toInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value !== 'string' || !/^(-?\d+|0x[0-9a-fA-F]+)$/.test(value)) return undefined
  return BigInt(value)
}
