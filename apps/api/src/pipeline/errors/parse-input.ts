import { LanyardError } from '@lanyard/contracts'
import type { z } from 'zod'
import { assertShallow } from './assert-shallow.ts'
import { dropNulls, setMember } from './drop-nulls.ts'
import { toInputIssues } from './input-issues.ts'

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
    const { data, error } = schema.safeParse(given)
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
      const most = maxLengthOf(def)
      // One more than the maximum shows that an array is too long.
      return (value) => (Array.isArray(value) ? value.slice(0, most + 1).map(prepare) : emptied(value))
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
