import { describe, expect, test } from 'vitest'
import { errorBody } from './error-body.ts'
import { errorCodes, errorTable } from './error-table.ts'
import { LanyardError } from './lanyard-error.ts'

describe('LanyardError', () => {
  test.each(errorCodes)('default: %s has the texts of the table', (code) => {
    const error = new LanyardError(code)
    expect(error).toMatchObject({
      name: 'LanyardError',
      code,
      message: errorTable[code].message,
      details: {},
    })
    expect(error.issues).toBeUndefined()
    expect(error.cause).toBeUndefined()
  })

  test('args: texts that override the table', () => {
    const issues = [{ path: 'value', message: 'Expected a decimal string' }]
    const error = new LanyardError('INVALID_INPUT', {
      message: 'A message.',
      issues,
      details: { a: 1 },
      cause: 'why',
    })
    expect(error).toMatchObject({ message: 'A message.', issues, details: { a: 1 }, cause: 'why' })
  })
})

describe('errorBody', () => {
  const body = { code: 'REBUILD', message: 'A message.', requestId: '1', docs: '/docs/errors#REBUILD' }

  test('default', () => {
    expect(errorBody.parse(body)).toEqual(body)
    const issues = [{ path: 'value', message: 'Expected a decimal string' }]
    expect(errorBody.parse({ ...body, issues, missing: '5' })).toEqual({ ...body, issues, missing: '5' })
  })

  test.each([
    { ...body, code: 'NOT_OURS' },
    { ...body, message: 5 },
    { ...body, requestId: undefined },
    { ...body, docs: undefined },
    { ...body, issues: {} },
    { ...body, issues: [{ path: 'value' }] },
    { ...body, issues: [{ message: 'text' }] },
  ])('error: %j', (wrong) => {
    expect(errorBody.safeParse(wrong).success).toBe(false)
  })
})
