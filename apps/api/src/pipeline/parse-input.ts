import { type EndpointDeclaration, type InputIssue, LanyardError } from '@lanyard/contracts'
import { z } from 'zod'
import { describeIssue } from '../platform/errors/describe-issue.ts'

/** No value in the interface is nested deeper than a transaction detail or a WebAuthn extension. */
const maxDepth = 32

/**
 * Rejects input that is nested so deeply that recursive code would overflow its stack.
 *
 * @throws INVALID_INPUT
 */
export function assertShallow(input: unknown): void {
  if (!isDeeper(input, maxDepth)) return
  throw new LanyardError('INVALID_INPUT', {
    issues: [{ path: '', message: `Nested more than ${maxDepth} levels deep` }],
  })
}

/**
 * Stops at the maximum depth, so its own stack is bounded. It makes no lists of what it visits: a body has thousands of
 * values.
 */
function isDeeper(value: unknown, levels: number): boolean {
  if (levels < 0) return true
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeper(item, levels - 1)) return true // `in` would make texts of its indices
    return false
  }
  for (const name in value) {
    if (isDeeper((value as Record<string, unknown>)[name], levels - 1)) return true // its own members
  }
  return false
}

/**
 * Removes the members that are `null` from a caller's input, at any depth: null means the same as absent.
 * Array elements are kept. An input without such members is not copied.
 *
 * @param input - not nested deeply (`assertShallow`)
 */
export const dropNulls = (input: unknown): unknown => (hasNull(input) ? copyWithoutNulls(input) : input)

/** Whether a member is null. Most inputs have none, so this makes no lists. */
function hasNull(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) {
    for (const item of value) if (hasNull(item)) return true
    return false
  }
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name] // its own members
    if (member === null || hasNull(member)) return true
  }
  return false
}

/** Makes no lists of members either: a body may have thousands of them that are null. */
function copyWithoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyWithoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name] // its own members
    if (member !== null) setMember(copy, name, copyWithoutNulls(member))
  }
  return copy
}

/** An own member may have any name, even `__proto__`, which an assignment would not create. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

/** More issues would only make the answer longer than the request. */
const maxIssues = 20

/** zod's codes for an absent value, depending on the kind of its schema. */
const missing: readonly string[] = ['invalid_type', 'invalid_union', 'invalid_value']

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const name of path) value = Object(value)[name]
  return value
}

/**
 * Converts zod's issues for callers. An absent value is "Required": zod says "received undefined", which no
 * caller sent. The schema's own message describes the expected value.
 */
export function toInputIssues(error: z.core.$ZodError, input: unknown): readonly InputIssue[] {
  return error.issues.slice(0, maxIssues).map(({ code, path, message }) => ({
    path: path.map(String).join('.'),
    message: missing.includes(code) && valueAt(input, path) === undefined ? 'Required' : message,
  }))
}

/** Merges query and body of a declaration into the single object that its procedure takes. */
export function inputSchema({ query, body }: EndpointDeclaration): z.ZodObject {
  return z.object({ ...query?.shape, ...body?.shape })
}

/**
 * Parses what a caller sent. Null means the same as absent, at any depth. Types come before depth: what the schema does not
 * declare is not looked into.
 *
 * @throws INVALID_INPUT
 */
export function inputParser<Schema extends z.ZodType>(schema: Schema): (input: unknown) => z.output<Schema> {
  const prepare = preparationFor(schema)
  return (input) => {
    const given = prepare(input ?? {})
    const { data, error } = schema.safeParse(given, { error: describeIssue })
    if (error) throw new LanyardError('INVALID_INPUT', { issues: toInputIssues(error, given) })
    return data
  }
}

type Prepare = (value: unknown) => unknown

/** For values of any form. */
const anyForm: Prepare = (value) => {
  assertShallow(value)
  return dropNulls(value)
}

/** A value of a wrong type is rejected whatever it contains, so its contents need not be read. */
const emptied: Prepare = (value) => {
  if (Array.isArray(value)) return []
  return typeof value === 'object' && value !== null ? {} : value
}

/** zod's names of the schemas that accept no object and no array. */
const scalars: readonly string[] = [
  'string',
  'number',
  'bigint',
  'boolean',
  'literal',
  'enum',
  'template_literal',
]

/** What removes nulls from the values of a schema. @throws INVALID_INPUT for depth where the schema takes any form */
function preparationFor(schema: z.core.$ZodType): Prepare {
  const { def } = (schema as z.core.$ZodTypes)._zod // the public union of all schemas
  switch (def.type) {
    case 'object': {
      const members = Object.entries(def.shape).map(
        ([name, member]) => [name, preparationFor(member)] as const,
      )
      return objectPreparation(new Map(members), def.catchall && anyForm)
    }
    case 'record':
      return objectPreparation(new Map(), preparationFor(def.valueType))
    case 'array': {
      const prepare = preparationFor(def.element)
      const limit = maxLengthOf(def)
      // One more than the maximum shows that an array is too long.
      return (value) => (Array.isArray(value) ? value.slice(0, limit + 1).map(prepare) : emptied(value))
    }
    case 'union':
      return def.options.map(preparationFor).every((one) => one === emptied) ? emptied : anyForm
    case 'optional':
    case 'nullable':
    case 'default':
      return preparationFor(def.innerType)
    case 'pipe': // `preprocess` and `transform`
      return preparationFor((def.in as z.core.$ZodTypes)._zod.def.type === 'transform' ? def.out : def.in)
    default:
      return scalars.includes(def.type) ? emptied : anyForm
  }
}

function maxLengthOf({ checks = [] }: z.core.$ZodArrayDef): number {
  const defs = checks.map((check) => check._zod.def as z.core.$ZodCheckMaxLengthDef) // or of another check
  return Math.min(...defs.filter(({ check }) => check === 'max_length').map(({ maximum }) => maximum))
}

/** @param others - for undeclared members; absent: they are dropped, as by the schema */
function objectPreparation(members: ReadonlyMap<string, Prepare>, others?: Prepare): Prepare {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return emptied(value)
    const prepared: Record<string, unknown> = {}
    const given = value as Record<string, unknown> // its own members
    for (const name of others ? Object.keys(value) : members.keys()) {
      const prepare = members.get(name) ?? others
      if (!prepare || !Object.hasOwn(value, name) || given[name] === null) continue
      setMember(prepared, name, prepare(given[name]))
    }
    return prepared
  }
}
