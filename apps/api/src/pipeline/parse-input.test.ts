import { endpoints } from '@lanyard/contracts'
import { countCalls } from '@lanyard/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { inputParser, inputSchema } from './parse-input.ts'

const values = 8_000
const list = (item: unknown) => Array.from({ length: values }, () => item)
const named = (item: unknown) => Object.fromEntries(list(item).map((one, index) => [`k${index}`, one]))
const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)

const schema = z.object({
  text: z.string().optional(),
  either: z.union([z.string(), z.number()]).optional(),
  list: z
    .array(z.object({ a: z.string().optional() }))
    .max(2)
    .optional(),
  inner: z.object({ a: z.string().default('b') }).optional(),
  loose: z.looseObject({ a: z.string().optional() }).optional(),
  measured: z.preprocess((value) => value, z.record(z.string(), z.unknown())).optional(),
})
const parse = inputParser(schema)

test('behavior: null is absence in objects of every kind, and stays an element of an array', () => {
  const given = {
    text: null,
    inner: { a: null, b: 1 },
    loose: { a: null, b: null, c: { d: null } },
    other: null,
  }
  expect(parse(given)).toEqual({ inner: { a: 'b' }, loose: { c: {} } })
  expect(parse({ list: [{ a: null }, { a: 'c' }], measured: { a: [null] } })).toEqual({
    list: [{}, { a: 'c' }],
    measured: { a: [null] },
  })
  expect(() => parse({ list: [null] })).toThrow()
  expect(parse(undefined)).toEqual({})
})

test('behavior: a member with a name of the prototype is no declared one', () => {
  const { loose } = parse(JSON.parse('{"loose":{"__proto__":{"a":"b"}}}'))
  expect(loose?.a).toBeUndefined()
  const strict = inputParser(z.strictObject({ a: z.string().optional() }))
  expect(() => strict({ b: 1 })).toThrow()
})

test.each([['loose'], ['measured']])(
  'error: INVALID_INPUT for a deep value where %s takes any form',
  (name) => {
    const allowed = { a: 'b', c: deep(30) }
    expect(parse({ [name]: allowed })).toEqual({ [name]: allowed })
    expect(() => parse({ [name]: { c: deep(100) } })).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        issues: [{ path: '', message: 'Nested more than 32 levels deep' }],
      }),
    )
  },
)

test('error: INVALID_INPUT of an array names its limit', () => {
  expect(() => parse({ list: list({}) })).toThrow(
    expect.objectContaining({
      issues: [{ path: 'list', message: 'Expected at most 2 entries' }],
    }),
  )
})

test.each([
  ['nulls of a text', { text: named(null) }],
  ['nulls of a text or a number', { either: named(null) }],
  ['a deep text', { text: deep(values) }],
  ['members of an array', { list: named(null) }],
  ['a long array', { list: list({ a: null }) }],
  ['items of an object', { inner: list(null) }],
  ['undeclared members', named(null)],
  ['undeclared depth', { other: deep(values), inner: { other: named(null) } }],
  ['items of a measured object', { measured: list([]) }],
])('behavior: types come first: %s', async (_name, input) => {
  const read = () => {
    try {
      parse(input)
    } catch {}
  }
  read() // zod compiles a schema at its first use
  expect(await countCalls(read)).toBeLessThan(500)
})

test('behavior: a text of the interface is not looked into', async () => {
  const parseMessage = inputParser(inputSchema(endpoints.webauthn.messageVerify))
  const read = (authenticatorData: unknown) => () => {
    expect(() => parseMessage({ response: { authenticatorData } })).toThrow()
  }
  read('')()
  expect(await countCalls(read(named(null)))).toBeLessThan(2_000)
})
