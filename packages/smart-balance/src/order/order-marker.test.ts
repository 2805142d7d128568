import { type Hex, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodePaymasterAndData } from './decode-paymaster-and-data.ts'
import { decodeOrderMarker, encodeOrderMarker } from './order-marker.ts'

const smartBalance = '0x1de369C050d12c59EAB848C938932a347eaFa68c'
const orderId: Hex = `0x${'ab'.repeat(32)}`
const marker = encodeOrderMarker(smartBalance, orderId)

describe('encodeOrderMarker', () => {
  test('default', () => {
    expect(marker).toBe(`${smartBalance.toLowerCase()}${zeroHash.slice(2)}00${orderId.slice(2)}`)
  })

  test('behavior: a marker is not an order', () => {
    expect(decodePaymasterAndData(marker)).toMatchObject({ ok: false })
  })

  test('error: MALFORMED', () => {
    expect(() => encodeOrderMarker(smartBalance, '0x12')).toThrow(
      expect.objectContaining({ code: 'MALFORMED', details: { field: 'orderId', bytes: 32 } }),
    )
    expect(() => encodeOrderMarker('0x12', orderId)).toThrow(
      expect.objectContaining({ code: 'MALFORMED', details: { field: 'smartBalance', bytes: 20 } }),
    )
  })
})

describe('decodeOrderMarker', () => {
  test('default', () => {
    expect(decodeOrderMarker(marker)).toEqual({ smartBalance, orderId })
    expect(decodeOrderMarker(`0x${marker.slice(2).toUpperCase()}`)).toEqual({ smartBalance, orderId })
  })

  test.each([
    '',
    '0x',
    'sponsored',
    marker.slice(0, -2),
    marker.slice(0, -1),
    `${marker.slice(0, -2)}zz`,
    `0x0x${marker.slice(4)}`,
    `${marker}00`,
    marker.replace(`${'00'.repeat(33)}`, `${'00'.repeat(32)}01`),
    marker.replace(`${'00'.repeat(33)}`, `01${'00'.repeat(32)}`),
    `0x${'zz'.repeat(85)}`,
  ])('behavior: %s is not a marker', (paymasterData) => {
    expect(decodeOrderMarker(paymasterData)).toBeUndefined()
  })
})
