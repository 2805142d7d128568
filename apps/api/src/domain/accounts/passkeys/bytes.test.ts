import { describe, expect, test } from 'vitest'
import { creation, userId } from '../../../../test/passkeys/ceremonies.ts'
import {
  bytesOfBase64Url,
  canonicalBase64Url,
  isUserHandleOf,
  readTransports,
  toUserHandle,
} from './encodings.ts'

test('canonicalBase64Url: equal bytes have one spelling', () => {
  expect(['_-_-_w', '_-_-_x', '/+/+/w', '/+/+/w=='].map(canonicalBase64Url)).toEqual(Array(4).fill('_-_-_w'))
  expect(canonicalBase64Url('_-_-')).toBe('_-_-')
})

test('bytesOfBase64Url', () => {
  expect(bytesOfBase64Url('_-8')).toEqual(new Uint8Array([0xff, 0xef]))
})

describe('toUserHandle', () => {
  test("default: the handle is the 16 bytes of the user's id", () => {
    expect(Buffer.from(toUserHandle(userId)).toString('hex')).toBe('0b6c2f6e52a14c399d5c7d2c8f0e1a34')
  })
})

describe('isUserHandleOf', () => {
  test("default: the user's own handle matches", () => {
    expect(isUserHandleOf(creation.user.id, userId)).toBe(true)
  })

  test.each(['', 'AAAA', creation.user.id.slice(0, -2), `${creation.user.id}AA`])(
    'behavior: "%s" is not a handle of the user',
    (handle) => {
      expect(isUserHandleOf(handle, userId)).toBe(false)
    },
  )
})

describe('readTransports', () => {
  test('default: known transports are kept', () => {
    const known = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']
    expect(readTransports(known)).toEqual(known)
  })

  test('behavior: unknown and repeated transports are dropped', () => {
    expect(readTransports(['usb', 'carrier-pigeon', 7, null, 'usb', ''])).toEqual(['usb'])
    for (const value of [undefined, null, 'usb', { 0: 'usb' }, 7]) expect(readTransports(value)).toEqual([])
  })
})
