import fc from 'fast-check'
import { type JsonSchema, resolveSchema } from './document.ts'

/** Returns values for a field name that are more useful than random ones. */
export type KnownFor = (name: string) => readonly unknown[]

/** Longer lists only repeat similar items. */
const maxListLength = 4

const onlyType = (type: JsonSchema['type']): readonly string[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type

function text({ pattern, format, minLength = 0, maxLength = 80, example }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') {
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  }
  const arbitrary =
    pattern === undefined
      ? fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 200) })
      : fc.stringMatching(new RegExp(pattern, 'u'))
  return typeof example === 'string'
    ? fc.oneof({ weight: 1, arbitrary: fc.constant(example) }, { weight: 3, arbitrary })
    : arbitrary
}

function integer({ minimum = 0, exclusiveMinimum, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema) {
  const min = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1
  const max = Math.min(maximum, Number.MAX_SAFE_INTEGER)
  return fc.oneof(
    fc.integer({ min, max: Math.min(max, min + 1000) }),
    fc.integer({ min, max }),
    fc.constantFrom(min, max),
  )
}

function object({ properties = {}, required = [] }: JsonSchema, known: KnownFor): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(
    ([name, schema]) => [name, memberArbitrary(name, schema, known)] as const,
  )
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required], noNullPrototype: true })
}

function memberArbitrary(name: string, schema: JsonSchema, known: KnownFor): fc.Arbitrary<unknown> {
  const values = known(name)
  const any = schemaArbitrary(schema, known)
  if (values.length === 0) return any
  return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: any })
}

/** Generates values that match a schema of the document. */
export function schemaArbitrary(unresolved: JsonSchema, known: KnownFor): fc.Arbitrary<unknown> {
  const schema = resolveSchema(unresolved)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return fc.oneof(...alternatives.map((one) => schemaArbitrary(one, known)))
  const [type, ...others] = onlyType(schema.type)
  if (others.length > 0) {
    return fc.oneof(...onlyType(schema.type).map((one) => schemaArbitrary({ ...schema, type: one }, known)))
  }
  switch (type) {
    case 'string':
      return text(schema)
    case 'integer':
      return integer(schema)
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const { items = {}, minItems = 0, maxItems = maxListLength } = schema
      const maxLength = Math.max(minItems, Math.min(maxItems, maxListLength))
      return fc.array(schemaArbitrary(items, known), { minLength: minItems, maxLength })
    }
    case 'object':
      return object(schema, known)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}
