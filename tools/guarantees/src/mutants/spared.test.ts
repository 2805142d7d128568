import { expect, test } from 'vitest'
import { sparedReasons } from './outcome.ts'
import { isProse, spared } from './spared.ts'

test.each(['The order has expired.', '…, but at most … is allowed for this claim', 'another version'])(
  'behavior: "%s" is text for people',
  (text) => {
    expect(isProse(text)).toBe(true)
  },
)

test.each([
  '',
  'DUPLICATE',
  'signer.x',
  '0x',
  'transfer(address,uint256)',
  ' ',
  'function execute(bytes data)',
])('behavior: "%s" is not text for people', (text) => {
  expect(isProse(text)).toBe(false)
})

/** The plugin's reason for ignoring a node of Babel's tree. */
const reasonFor = (node: object, parent: object = {}) => spared.shouldIgnore({ node, parent })
const text = (value: string) => ({ type: 'StringLiteral', value })
const block = (name: string) => ({
  type: 'BlockStatement',
  body: [{ type: 'ReturnStatement', argument: { type: 'Identifier', name } }],
})

test('behavior: ignores text for people, ABI names, schema descriptions and empty catch blocks', () => {
  expect(reasonFor(text('An order.'))).toBe(sparedReasons.prose)
  expect(reasonFor(text('transfer'), { type: 'ObjectProperty', key: { name: 'functionName' } })).toBe(
    sparedReasons.compiler,
  )
  expect(reasonFor(block('undefined'), { type: 'CatchClause' })).toBe(sparedReasons.same)
  expect(
    reasonFor(
      { type: 'ObjectExpression' },
      { type: 'CallExpression', callee: { property: { name: 'meta' } } },
    ),
  ).toBe(sparedReasons.documentation)
})

test('behavior: does not ignore other code', () => {
  expect(reasonFor(text('transfer'), { type: 'ObjectProperty', key: { name: 'kind' } })).toBeUndefined()
  expect(reasonFor(block('signature'), { type: 'CatchClause' })).toBeUndefined()
  expect(reasonFor(block('undefined'), { type: 'IfStatement' })).toBeUndefined()
  expect(reasonFor({ type: 'ObjectExpression' })).toBeUndefined()
  expect(reasonFor({ type: 'ArrowFunctionExpression', body: text('yes') })).toBeUndefined()
})
