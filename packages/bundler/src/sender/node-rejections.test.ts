import { describe, expect, test } from 'vitest'
import { classifyRejection, isUnwanted, namedTip, nodeRejections } from './send-raw-transaction.ts'

describe('classifyRejection', () => {
  const examples = nodeRejections.flatMap(({ outcome, examples }) =>
    examples.map((words) => [words, outcome] as const),
  )
  test.each(examples)('args: %s', (words, outcome) => {
    expect(classifyRejection(words)).toBe(outcome)
  })

  test('behavior: other words have no meaning', () => {
    expect(classifyRejection('exceeds block gas limit')).toBeUndefined()
  })
})

test.each([
  ['transaction gas price below minimum: gas tip cap 0, minimum needed 25000000000', 25_000_000_000n],
  ['transaction underpriced: tip needed 7, tip permitted 0', 7n],
  ['transaction underpriced', undefined],
])('namedTip: %s', (words, tip) => {
  expect(namedTip(words)).toBe(tip)
})

test('behavior: only bytes that the node may have are kept', () => {
  const outcomes = [...new Set(nodeRejections.map(({ outcome }) => outcome)), 'refused' as const]
  expect(outcomes.filter((outcome) => !isUnwanted(outcome)).toSorted()).toEqual([
    'accepted',
    'nonce-used',
    'replacement-underpriced',
  ])
})
