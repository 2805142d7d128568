import { describe, expect, test } from 'vitest'
import { sortRecipients } from './known-recipients.ts'
import { suggestRecipients } from './recipient-field.tsx'

const address = (digit: string) => `0x${digit.repeat(40)}` as const
const shop = { address: address('1'), contact: 'Shop', username: 'shop_99' }
const aunt = { address: address('2'), contact: 'Aunt', paidAt: 1 }
const bob = { address: address('3'), username: 'bob', paidAt: 20 }
const old = { address: address('4'), paidAt: 10 }

describe('sortRecipients', () => {
  test('default', () => {
    expect(sortRecipients([old, shop, bob, aunt])).toEqual([aunt, shop, bob, old])
  })

  test('behavior: keeps the last fifty recipients that are not contacts', () => {
    const many = Array.from({ length: 60 }, (_, paidAt) => ({ address: address('5'), paidAt }))
    const sorted = sortRecipients([...many, shop])
    expect(sorted).toHaveLength(51)
    expect(sorted[1]).toMatchObject({ paidAt: 59 })
  })
})

describe('suggestRecipients', () => {
  const known = sortRecipients([shop, bob, old])

  test('default: an empty field suggests known recipients', () => {
    expect(suggestRecipients('', known, []).map(({ kind }) => kind)).toEqual(['contact', 'recent', 'recent'])
  })

  test('behavior: finds by contact name, username and address', () => {
    expect(suggestRecipients('SHOP', known, [])).toMatchObject([{ contact: 'Shop' }])
    expect(suggestRecipients('bo', known, [])).toMatchObject([{ username: 'bob' }])
    expect(suggestRecipients('0x444', known, [])).toMatchObject([{ address: old.address }])
  })

  test('behavior: a name that a name service gives out is no username', () => {
    expect(
      suggestRecipients('vita', [], [{ username: 'vitalik.eth', wallet_address: address('6') }]),
    ).toEqual([])
  })

  test('behavior: an exact name comes first, and no one is listed twice', () => {
    const found = [
      { username: 'bobby', wallet_address: address('6') },
      { username: 'bob', wallet_address: bob.address },
      { username: 'Bo', wallet_address: address('7') },
    ]
    expect(suggestRecipients('bo', known, found).map(({ username }) => username)).toEqual([
      'Bo',
      'bob',
      'bobby',
    ])
  })
})
