import { describe, expect, test } from 'vitest'
import { accountMessage } from './account-message.ts'

const repeat = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

/** A type whose text is long. */
const long = repeat(64, { name: 'x'.repeat(100), type: 'uint256' })

const isAccepted = (typedData: object) => accountMessage.safeParse({ typedData }).success

/** Listings of a marketplace: the tree of a bulk order, whose leaves are orders with nested items. */
const orders = {
  types: {
    BulkOrder: [{ name: 'tree', type: 'Order[2][2][2][2]' }],
    Order: [
      ...['offerer', 'zone'].map((name) => ({ name, type: 'address' })),
      { name: 'offer', type: 'Item[]' },
      ...['startTime', 'endTime', 'salt'].map((name) => ({ name, type: 'uint256' })),
    ],
    Item: ['token', 'identifier', 'startAmount', 'endAmount'].map((name) => ({ name, type: 'uint256' })),
  },
  primaryType: 'BulkOrder',
  message: {
    tree: repeat(
      2,
      repeat(
        2,
        repeat(
          2,
          repeat(2, {
            ...{ offerer: `0x${'11'.repeat(20)}`, zone: `0x${'22'.repeat(20)}` },
            offer: repeat(4, { token: '1', identifier: '2', startAmount: '3', endAmount: '4' }),
            ...{ startTime: '1', endTime: '2', salt: '3' },
          }),
        ),
      ),
    ),
  },
}

describe('accountMessage', () => {
  test('default: a large message with nested structs', () => {
    expect(isAccepted(orders)).toBe(true)
    expect(isAccepted({ ...orders, domain: { name: 'Market', chainId: 1 } })).toBe(true)
  })

  test.each<[string, object]>([
    [
      'many structs with long types in the message',
      {
        types: { M: [{ name: 's', type: 'S[]' }], S: [{ name: 'l', type: 'Long[]' }], Long: long },
        message: { s: repeat(100, { l: [] }) },
      },
    ],
    [
      'many structs with long types in the domain',
      {
        types: {
          EIP712Domain: [{ name: 's', type: 'S[]' }],
          S: [{ name: 'l', type: 'Long[]' }],
          Long: long,
          M: [{ name: 'n', type: 'uint8' }],
        },
        domain: { s: repeat(100, { l: [] }) },
        message: { n: 1 },
      },
    ],
    [
      'many small structs',
      { types: { M: [{ name: 's', type: 'S[]' }], S: [] }, message: { s: repeat(5_000, {}) } },
    ],
    ['many numbers', { types: { M: [{ name: 'n', type: 'uint8[]' }] }, message: { n: repeat(5_000, 1) } }],
  ])('error: %s are slow to hash', (_, given) => {
    expect(isAccepted({ primaryType: 'M', ...given })).toBe(false)
  })
})
