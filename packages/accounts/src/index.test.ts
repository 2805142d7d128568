import { expect, test } from 'vitest'
import * as accounts from './index.ts'

test('exports', () => {
  expect(Object.keys(accounts).sort()).toMatchInlineSnapshot()
})
