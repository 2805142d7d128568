import { countCalls } from '@lanyard/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endpointList } from '../platform/endpoint-list.ts'
import { assertShallow, dropNulls, inputSchema, toInputIssues } from './parse-input.ts'

const seed = 20_261_122

function parse(schema: ReturnType<typeof inputSchema>, input: unknown) {
  const given = dropNulls(input)
  const { data, error } = schema.safeParse(given)
  return error ? { issues: toInputIssues(error, given) } : { data }
}

/** Values that a caller could send as a member. */
const record = fc.record({ value: fc.string() }, { noNullPrototype: true }) // as JSON.parse makes them
const member = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(record))

describe.each(endpointList)('the input of $name', ({ declaration }) => {
  const schema = inputSchema(declaration)
  const names = Object.keys(schema.shape)

  test('behavior: null is the same as absence', () => {
    const some = fc.uniqueArray(fc.constantFrom(...names, 'unknown'))
    const given = fc.record(Object.fromEntries(names.map((name) => [name, member])), { requiredKeys: [] })
    fc.assert(
      fc.property(given, some, (input, nulls) => {
        const without = Object.fromEntries(Object.entries(input).filter(([name]) => !nulls.includes(name)))
        const withNulls = { ...input, ...Object.fromEntries(nulls.map((name) => [name, null])) }
        expect(parse(schema, withNulls)).toEqual(parse(schema, without))
      }),
      { seed, numRuns: 30 },
    )
  })

  test('behavior: the message for a missing member is "Required"', () => {
    const { issues = [] } = parse(schema, {})
    expect(issues.map(({ message }) => message)).toEqual(issues.map(() => 'Required'))
  })
})

describe('dropNulls', () => {
  test('behavior: null members are dropped at any depth; array elements and other values stay', () => {
    const input = { a: null, b: [null, { c: null, d: 0 }], e: { f: { g: null } }, h: '', i: false }
    expect(dropNulls(input)).toEqual({ b: [null, { d: 0 }], e: { f: {} }, h: '', i: false })
  })

  test('behavior: a value without nulls is not copied', () => {
    const input = { a: [{ b: 'c' }] }
    expect(dropNulls(input)).toBe(input)
    expect(dropNulls(null)).toBeNull()
  })

  test('behavior: a member with the name of the prototype stays a member', () => {
    const dropped = dropNulls(JSON.parse('{"a":null,"__proto__":{"b":null,"c":1}}'))
    expect(JSON.stringify(dropped)).toBe('{"__proto__":{"c":1}}')
    expect(Object.getPrototypeOf(dropped)).toBe(Object.prototype)
  })
})

test('behavior: depth and nulls of thousands of values take two calls of a function each', async () => {
  const values = 8_000
  const inputs: Readonly<Record<string, unknown>> = {
    lists: Array.from({ length: values }, () => []),
    members: Object.fromEntries(Array.from({ length: values }, (_, index) => [`k${index}`, 0])),
    nulls: { a: Object.fromEntries(Array.from({ length: values }, (_, index) => [`k${index}`, null])) },
    deep: Array.from({ length: values / 20 }, () => JSON.parse(`${'['.repeat(20)}${']'.repeat(20)}`)),
  }
  for (const [name, input] of Object.entries(inputs)) {
    const calls = await countCalls(() => {
      assertShallow(input)
      dropNulls(input)
    })
    expect(calls, name).toBeLessThan(2 * values + 500)
  }
})
