import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { signMode } from '../smart-account/sign-mode.ts'
import { binary } from '../webauthn/binary.ts'
import { address, addressOutput, toChecksumAddress } from './address.ts'
import { amount } from './amount.ts'
import { dateTime } from './date-time.ts'
import { hash, hex, hexOutput } from './hex.ts'
import { network, networkInteger } from './network.ts'
import { newUsername, username, usernameKey } from './username.ts'

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success

describe('address', () => {
  // The examples of ERC-55.
  const vectors = [
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ]

  test.each(vectors)('args: %s', (vector) => {
    expect(toChecksumAddress(vector.toLowerCase())).toBe(toChecksumAddress(vector))
    expect(address.parse(vector.toLowerCase())).toBe(address.parse(vector))
  })

  test('behavior: returns the checksummed form', () => {
    expect(address.parse('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toBe(vectors[2])
  })

  test('error: a mistyped character in mixed case', () => {
    expect(accepts(address, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed')).toBe(false)
  })

  test('behavior: an address in a single case has no checksum', () => {
    const upper = '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED'
    for (const value of [upper, upper.toLowerCase().replace('0X', '0x')])
      expect(address.parse(value)).toBe(vectors[2])
    expect(toChecksumAddress(upper)).toHaveLength(42)
  })

  test.each([
    '',
    '0x',
    '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0x5aAeb6',
    ` ${vectors[0]}`,
    `${vectors[0]}0`,
    `0x${vectors[0]}`,
    `0x0x${'1'.repeat(40)}`,
    `0x${'1'.repeat(40)} `,
    `${vectors[0]} `,
    5,
    null,
  ])('error: %j', (value) => {
    expect(accepts(address, value)).toBe(false)
  })

  test('error: each input has one message', () => {
    for (const value of ['0x', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed'])
      expect(address.safeParse(value).error?.issues).toHaveLength(1)
  })

  test('addressOutput', () => {
    expect(accepts(addressOutput, vectors[0])).toBe(true)
    for (const value of ['', 'x', 5]) expect(accepts(addressOutput, value)).toBe(false)
  })
})

describe('amount', () => {
  test.each([
    ['0', 0n],
    ['1000000000000000000', 10n ** 18n],
    [5, 5n],
    [String(2n ** 256n - 1n), 2n ** 256n - 1n],
  ])('args: %j', (value, expected) => expect(amount.parse(value)).toBe(expected))

  test.each([
    '',
    '-1',
    '1.5',
    '1e18',
    '0x10',
    ' 1',
    '１',
    String(2n ** 256n),
    1.5,
    -1,
    2 ** 53,
    null,
    true,
    [],
    {},
  ])('error: %j', (value) => expect(accepts(amount, value)).toBe(false))
})

describe('network', () => {
  test.each([31337, '31337', 'eip155:31337'])('args: %j', (value) => expect(network.parse(value)).toBe(31337))
  test('behavior: accepts the largest', () => {
    expect(network.parse(String(Number.MAX_SAFE_INTEGER))).toBe(Number.MAX_SAFE_INTEGER)
    expect(accepts(network, String(2 ** 53))).toBe(false)
  })
  test.each([
    '',
    '0',
    0,
    -1,
    1.5,
    '0x7a69',
    'eip155:',
    'eip155:0',
    ' 1',
    '1 ',
    '1x',
    'xeip155:1',
    'solana:1',
    '99999999999999999999',
    null,
  ])('error: %j', (value) => expect(accepts(network, value)).toBe(false))
  test('networkInteger', () => {
    expect([1, 31337].map((value) => accepts(networkInteger, value))).toEqual([true, true])
    expect([0, -1, 1.5, '1'].map((value) => accepts(networkInteger, value))).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})

describe('hex', () => {
  test('default', () => expect(hex.parse('0xABcd')).toBe('0xabcd'))
  test('behavior: nothing', () => expect(hex.parse('0x')).toBe('0x'))
  test.each(['', '0', '0x0', 'abcd', '0xzz', ' 0xab', '0xab ', '0x0xab', '0xabc', 'x0x'])(
    'error: %j',
    (value) => expect(accepts(hex, value)).toBe(false),
  )
  test('hexOutput', () => {
    expect(accepts(hexOutput, '0xab')).toBe(true)
    for (const value of ['', 'ab', 5]) expect(accepts(hexOutput, value)).toBe(false)
  })
  test('behavior: a hash has 32 bytes', () => {
    expect(accepts(hash, `0x${'0'.repeat(64)}`)).toBe(true)
    expect(hash.parse(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
    for (const value of [
      `0x${'0'.repeat(62)}`,
      `0x${'0'.repeat(66)}`,
      ` 0x${'0'.repeat(64)}`,
      `0x${'0'.repeat(64)} `,
    ])
      expect(accepts(hash, value)).toBe(false)
  })
})

describe('username', () => {
  test.each(['a', 'alice', 'Alice.B@example.org', 'عمر', '名前', 'a b'])('args: %s', (value) =>
    expect(username.parse(value)).toBe(value),
  )
  test('behavior: normalises to NFKC and trims', () => expect(username.parse(' ﬁｌｅ ')).toBe('file'))
  test('behavior: names are unique regardless of case', () => {
    expect(usernameKey('ALICE')).toBe(usernameKey('alice'))
    expect(usernameKey('ＡＬＩＣＥ')).toBe('alice')
    expect(usernameKey(' Alice ')).toBe('alice')
  })
  test.each(['', '   ', 'a\u0000', 'a\u200bb', 'a\u202eb', 'a\nb', 'x'.repeat(65), '\u3164', 5, null])(
    'error: %j',
    (value) => expect(accepts(username, value)).toBe(false),
  )
  test('behavior: the limit is 64 characters, not bytes', () =>
    expect(accepts(username, '😀'.repeat(64))).toBe(true))
  test('behavior: the limit is 64 characters in any normalisation form', () => {
    const decomposed = '\u03b1\u0313\u0301\u0345'.repeat(64)
    expect(username.parse(decomposed)).toBe('\u1f84'.repeat(64))
    expect(accepts(username, `${decomposed} `)).toBe(false)
  })
  test('behavior: rejects an overlong name before normalising it', () => {
    const marks = `a${'\u0301'.repeat(30_000)}${'\u0323'.repeat(30_000)}`
    const normalize = vi.spyOn(String.prototype, 'normalize')
    onTestFinished(() => normalize.mockRestore())
    expect(accepts(username, marks)).toBe(false)
    expect(normalize).not.toHaveBeenCalled()
  })
})

describe('newUsername', () => {
  test.each(['a', 'Alice.B@example.org', 'عمر', '名前', 'a b', '😀'])('args: %s', (value) =>
    expect(newUsername.parse(value)).toBe(value),
  )
  // Each of these would look like another alice.
  test.each([
    'alice\ufe0f',
    'ali\u034fce',
    'alice\u17b4',
    'alice\u{e0100}',
    'alice\u2800',
    '\u2800',
    'alice\u180b',
  ])('error: %j, even if a user already has this name', (value) => {
    expect(accepts(newUsername, value)).toBe(false)
    expect(username.parse(value)).toBe(value)
  })
  test.each(['', '   ', 'a\u0000', 'a\u200bb', 'x'.repeat(65), 5, null])('error: %j', (value) =>
    expect(accepts(newUsername, value)).toBe(false),
  )
})

describe('dateTime', () => {
  test.each(['0001-01-01T00:00:00Z', '2026-11-21T23:00:00.123Z', '9999-12-31T23:59:59Z'])(
    'args: %s',
    (value) => expect(dateTime.parse(value)).toBe(value),
  )
  // PostgreSQL has no year 0.
  test.each(['0000-01-01T00:00:00Z', '0000-12-31T23:59:59Z', '2026-11-21', '', 5])('error: %j', (value) =>
    expect(accepts(dateTime, value)).toBe(false),
  )
})

describe('signMode', () => {
  test.each([
    ['ECDSA', 'ECDSA'],
    ['1', 'ECDSA'],
    [1, 'ECDSA'],
    ['5', 'SESSION_KEY'],
    ['4', 'SESSION_KEY'],
    ['SimpleSessionKey', 'SESSION_KEY'],
    ['SessionKey', 'SESSION_KEY'],
    ['SESSION_KEY', 'SESSION_KEY'],
  ])('args: %j', (value, expected) => expect(signMode.parse(value)).toBe(expected))
  test.each(['', 'ecdsa', '2', 'constructor', '__proto__', null, {}])('error: %j', (value) =>
    expect(accepts(signMode, value)).toBe(false),
  )
})

describe('binary', () => {
  test.each([
    ['-_8', '-_8'],
    ['+/8=', '-_8'],
    ['+/8', '-_8'],
    ['', ''],
  ])('args: %j', (value, expected) => expect(binary.parse(value)).toBe(expected))
  test.each(['a', 'ab$d', 'ab=cd', 5])('error: %j', (value) => expect(accepts(binary, value)).toBe(false))
})
