import { describe, expect, test } from 'vitest'
import { looksLikeAddress, parseAddress, readRecipient } from './recipient.ts'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

describe('parseAddress', () => {
  test.each([address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`, ` ${address} `])(
    'default: %s',
    (text) => {
      expect(parseAddress(text)).toEqual({ ok: true, address })
    },
  )

  test('error: one letter in the wrong case', () => {
    expect(parseAddress(address.replace('C51', 'c51'))).toMatchObject({
      ok: false,
      message: expect.stringMatching(/checksum/),
    })
  })

  test('error: a digit is missing', () => {
    expect(parseAddress(address.slice(0, -1))).toMatchObject({
      message: expect.stringMatching(/this has 39/),
    })
  })

  test.each(['', 'alice', '0xzz', '70997970C51812dc3A010C7d01b50e0d17dc79C8'])('error: "%s"', (text) => {
    expect(parseAddress(text)).toMatchObject({ ok: false })
  })
})

describe('looksLikeAddress', () => {
  test('default', () => {
    expect(looksLikeAddress(address)).toBe(true)
    expect(looksLikeAddress('0xalice')).toBe(false)
    expect(looksLikeAddress('alice')).toBe(false)
  })
})

describe('readRecipient', () => {
  test.each(['vitalik.eth', 'shop.crypto', 'Alice.ETH', 'a。eth'])('error: %s is no username', (text) => {
    expect(readRecipient(text)).toMatchObject({
      kind: 'wrong',
      message: expect.stringMatching(/name service/),
    })
  })

  test('default: another name is looked up at the service', () => {
    expect(readRecipient('alice')).toEqual({ kind: 'name', name: 'alice' })
    expect(readRecipient('mail@x.eth')).toEqual({ kind: 'name', name: 'mail@x.eth' })
  })
})
