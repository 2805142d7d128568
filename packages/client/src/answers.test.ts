import { describe, expect, test } from 'vitest'
import { LanyardApiError } from './api-error.ts'
import { ceremonyBody } from './ceremony-body.ts'
import { toCall } from './to-call.ts'

describe('LanyardApiError', () => {
  test('default', () => {
    const issues = [{ path: 'value', message: 'text' }]
    const body = { code: 'INVALID_INPUT', message: 'A message.', requestId: '1', issues, limit: '5' }
    expect(new LanyardApiError(400, body)).toMatchObject({
      name: 'LanyardApiError',
      status: 400,
      code: 'INVALID_INPUT',
      message: 'A message.',
      requestId: '1',
      issues,
      details: { limit: '5' },
    })
  })

  test.each([null, undefined, '<html>', 7, {}])(
    'behavior: %j is not an error body of the service',
    (body) => {
      const error = new LanyardApiError(502, body)
      expect(error).toMatchObject({
        status: 502,
        code: 'INTERNAL',
        message: 'The service answered with status 502',
        issues: [],
        details: {},
      })
      expect(error.requestId).toBeUndefined()
    },
  )
})

test("ceremonyBody: converts the browser's response to plain objects", () => {
  class Response {
    readonly clientDataJSON = 'AA'
    readonly signature = 'BB'
  }
  const body = ceremonyBody({
    id: 'id',
    rawId: 'rawId',
    response: new Response(),
    clientExtensionResults: { credProps: { rk: true } },
    authenticatorAttachment: 'platform',
  })
  expect(body).toStrictEqual({
    id: 'id',
    rawId: 'rawId',
    type: 'public-key',
    response: { clientDataJSON: 'AA', signature: 'BB' },
    clientExtensionResults: { credProps: { rk: true } },
  })
})

describe('toCall', () => {
  const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const request = { encodedData: '0xab', targetContractAddress: to.toLowerCase(), value: '5' }

  test('default', () => {
    expect(toCall(request)).toEqual({ to, value: 5n, data: '0xab' })
    for (const value of [5, 5n, '0x5']) expect(toCall({ ...request, value }).value).toBe(5n)
    expect(toCall({ encodedData: '0xab', targetContractAddress: to }).value).toBe(0n)
  })

  test.each([
    { ...request, encodedData: 'ab' },
    { ...request, encodedData: '0xzz' },
    { ...request, targetContractAddress: '0x1234' },
    { ...request, value: 'much' },
    { ...request, value: 1.5 },
  ])('error: %o', (wrong) => {
    expect(() => toCall(wrong)).toThrow()
  })

  test('error: not hex', () => {
    expect(() => toCall({ ...request, encodedData: 'ab' })).toThrow(new TypeError('encodedData is not hex'))
  })
})
