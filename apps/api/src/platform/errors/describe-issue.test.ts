import { expect, test } from 'vitest'
import { z } from 'zod'
import { inputSchema } from '../../pipeline/parse-input.ts'
import { endpointList } from '../endpoint-list.ts'
import { describeIssue } from './describe-issue.ts'

const wordsFor = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: describeIssue }).error?.issues.map(({ message }) => message)

test.each([
  [z.string(), 5, 'Expected a string'],
  [z.int(), 1.5, 'Expected an integer'],
  [z.record(z.string(), z.string()), 'a', 'Expected an object'],
  [z.enum(['a', 'b']), 'c', 'Expected one of a, b'],
  [z.literal('a'), 'c', 'Expected a'],
  [z.number().min(1), 0, 'Expected a number: at least 1'],
  [z.number().max(9), 10, 'Expected a number: at most 9'],
  [z.number().gt(1), 1, 'Expected a number: more than 1'],
  [z.number().lt(9), 9, 'Expected a number: less than 9'],
  [z.number().multipleOf(5), 6, 'Expected a multiple of 5'],
  [z.string().min(1), '', 'Expected some text'],
  [z.string().min(3), 'a', 'Expected at least 3 characters'],
  [z.string().length(2), 'a', 'Expected exactly 2 characters'],
  [z.string().max(2), 'abc', 'Expected at most 2 characters'],
  [z.array(z.int()).max(1), [1, 2], 'Expected at most 1 entry'],
  [z.string().startsWith('0x'), 'a', 'Expected a text that begins with "0x"'],
  [z.string().endsWith('/'), 'a', 'Expected a text that ends with "/"'],
  [z.string().includes('@'), 'a', 'Expected a text that contains "@"'],
  [z.url(), 'a', 'Expected a URL, such as https://example.com'],
  [z.iso.datetime(), 'a', 'Expected a time in ISO 8601, such as 2026-01-31T12:00:00Z'],
  [z.string().regex(/^a$/), 'b', 'Expected a value of another form; the documentation describes it'],
  [z.strictObject({}), { a: 1 }, 'There is no member "a"'],
  [z.strictObject({}), { a: 1, b: 2 }, 'These members do not exist: "a", "b"'],
  [z.union([z.string(), z.int()]), true, 'Expected a string or a number'],
  [z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]), { kind: 'b' }, 'Expected a'],
  [z.custom(() => false), 1, 'Expected a value of another form; the documentation describes it'],
])('default: %# is described', (schema, value, words) => {
  expect(wordsFor(schema, value)).toEqual([words])
})

test('behavior: what a schema says itself comes first', () => {
  expect(wordsFor(z.string('Expected a name'), 5)).toEqual(['Expected a name'])
})

test('behavior: no endpoint answers in the words of the schema library', () => {
  const wrong = [
    5,
    -1,
    1e12,
    1.5,
    '',
    'x',
    '0x',
    'x'.repeat(20_000),
    [],
    Array(5_000).fill({}),
    {},
    { a: 1 },
    true,
  ]
  const said = endpointList.flatMap(({ declaration }) => {
    const schema = inputSchema(declaration)
    return Object.keys(schema.shape).flatMap((field) =>
      wrong.flatMap((value) => wordsFor(schema, { [field]: value }) ?? []),
    )
  })
  expect(said.length).toBeGreaterThan(1_000)
  expect(
    [...new Set(said)].filter((words) => /^(Invalid|Too|Unrecognized)|received/.test(words ?? '')),
  ).toEqual([])
})
