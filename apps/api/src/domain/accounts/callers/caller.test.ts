import { describe, expect, test } from 'vitest'
import { addressKey, callerOf } from './caller.ts'

describe('addressKey', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['203.0.113.7:5678', '203.0.113.7'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]:5678', '2001:db8:1:2::/64'],
    ['[::ffff:203.0.113.7]:5678', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('args: the key of %s is its address or network', (address, key) => {
    expect(addressKey(address, '10.0.0.1')).toBe(key)
  })

  test.each([
    '',
    'not an address',
    '203.0.113.7:port',
    '203.0.113.7:567890',
    '[203.0.113.7',
    '[203.0.113.7]',
    '203.0.113.7:1:2',
  ])('behavior: %j is not an address, so the address of the connection counts', (address) => {
    expect(addressKey(address, '::ffff:10.0.0.1')).toBe('10.0.0.1')
    expect(addressKey(address, undefined)).toBe('unknown')
  })
})

describe('caller', () => {
  const key = { kind: 'secret', name: 'server', origins: [] } as const

  test('behavior: keys of a project count as one caller, and no other key can have its name', () => {
    const of = (apiKey: Parameters<typeof callerOf>[0]['apiKey']) =>
      callerOf({ apiKey, address: '203.0.113.7' })
    expect(of(key)).toEqual({ kind: 'key', name: 'server' })
    expect(of({ ...key, project: 'shop' })).toEqual({ kind: 'key', name: 'project:shop' })
    expect(of({ ...key, name: 'other', project: 'shop' })).toEqual(of({ ...key, project: 'shop' }))
    expect(of({ ...key, kind: 'publishable', project: 'shop' })).toEqual({
      kind: 'address',
      name: '203.0.113.7',
    })
  })
})
