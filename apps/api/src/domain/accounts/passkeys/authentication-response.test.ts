import { describe, expect, test } from 'vitest'
import { encodeCbor } from '../../../../test/passkeys/authenticator.ts'
import { type AssertionBody, toAuthenticationResponse } from './authentication-response.ts'

const base64url = (text: string) => Buffer.from(text).toString('base64url')
const id = base64url('an id')
const response = {
  clientDataJSON: base64url('{}'),
  authenticatorData: base64url('authenticator data'),
  signature: base64url('a signature'),
}
const body: AssertionBody = { id, rawId: id, type: 'public-key', response }

const rejection = (message: string) =>
  expect.objectContaining({ code: 'VERIFICATION_FAILED', message: expect.stringContaining(message) })

describe('toAuthenticationResponse', () => {
  test('default: a complete response is read unchanged', () => {
    const userHandle = base64url('a user')
    expect(toAuthenticationResponse({ ...body, response: { ...response, userHandle } })).toEqual({
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { ...response, userHandle },
    })
  })

  test('behavior: type and userHandle may be left out', () => {
    const { type: _, ...untyped } = body
    const expected = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
    expect(toAuthenticationResponse(untyped)).toEqual(expected)
    for (const userHandle of [null, undefined, ''])
      expect(toAuthenticationResponse({ ...body, response: { ...response, userHandle } })).toEqual(expected)
  })

  test('behavior: an id in another base64url spelling is the same id', () => {
    expect(toAuthenticationResponse({ ...body, id: '_-_-_w', rawId: '_-_-_x' })).toMatchObject({
      id: '_-_-_w',
      rawId: '_-_-_w',
    })
  })

  test('behavior: the older attestationObject holds authenticator data, raw or in CBOR', () => {
    const { authenticatorData, ...rest } = response
    const inside = Buffer.from(
      encodeCbor(new Map([['authData', new Uint8Array(Buffer.from('authenticator data'))]])),
    )
    const without = Buffer.from(encodeCbor(new Map([['fmt', 'none']]))).toString('base64url')
    const text = Buffer.from(encodeCbor(new Map([['authData', 'no bytes']]))).toString('base64url')
    for (const [attestationObject, expected] of [
      [authenticatorData, authenticatorData],
      [inside.toString('base64url'), authenticatorData],
      [without, without],
      [text, text],
    ] as const)
      expect(
        toAuthenticationResponse({ ...body, response: { ...rest, attestationObject } }).response,
      ).toEqual({ ...rest, authenticatorData: expected })
    // The standard field name takes precedence.
    const both = { ...response, attestationObject: base64url('something else') }
    expect(toAuthenticationResponse({ ...body, response: both }).response).toEqual(response)
  })

  test.each<[string, AssertionBody]>([
    ['id and rawId are missing', { ...body, id: undefined }],
    ['id and rawId are missing', { ...body, rawId: undefined }],
    ['id and rawId are missing', { ...body, id: '' }],
    ['id and rawId are not the same bytes', { ...body, id: base64url('another') }],
    ['id and rawId are not the same bytes', { ...body, id: '!', rawId: '!' }],
    ['type is not public-key', { ...body, type: 'password' }],
    ['clientDataJSON is missing', { ...body, response: undefined }],
    ['clientDataJSON is missing', { ...body, response: { ...response, clientDataJSON: '' } }],
    ['authenticatorData is missing', { ...body, response: { ...response, authenticatorData: undefined } }],
    ['authenticatorData is missing', { ...body, response: { ...response, authenticatorData: '' } }],
    ['signature is missing', { ...body, response: { ...response, signature: undefined } }],
    ['signature is missing', { ...body, response: { ...response, signature: '' } }],
  ])('error: %s', (message, wrong) => {
    expect(() => toAuthenticationResponse(wrong)).toThrow(rejection(message))
  })
})
