import { numericSeed } from '@lanyard/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { usernameKey } from './username.ts'
import { usernameRefusal } from './username-refusal.ts'
import { usernameSkeleton } from './username-skeleton.ts'

fc.configureGlobal({ seed: numericSeed })

describe('usernameRefusal', () => {
  test.each([
    'alice',
    'Bob Smith',
    'bob@example.com',
    "o'brien_1990",
    'Zoë',
    'мария',
    'Αλέξανδρος',
    '田中さくら',
    'タナカ tanaka',
    '王小明 wang',
    'ㄅㄆ王 wang',
    '김철수 kim',
    'محمد',
    'שלום',
    'สมชาย',
    'अमित',
    'alice 🦊',
    '12345',
    '0xdavid',
    'oxide',
    'oxide22',
    'Oxford',
    'box0',
  ])('default: %s is allowed', (name) => {
    expect(usernameRefusal(name)).toBeUndefined()
  })

  test.each([
    'mаria', // Cyrillic а
    'paуpal', // Cyrillic у
    'αlice',
    'ｍаria'.normalize('NFKC'),
    'мария2k latin',
    '田中мария',
    '김さくら',
    'ᎪᏞice', // Cherokee
    'ᎠᎳᏂ', // a script that UAX 31 does not recommend
  ])('error: %s mixes scripts, or uses an unsupported script', (name) => {
    expect(usernameRefusal(name)).toContain('script')
  })

  test.each([
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    '0x7099…79C8',
    '0x7099...79C8',
    '0X7099',
    '0x…79C8',
    '0×7099…79C8', // ×, the sign
    '0х7099…79с8', // Cyrillic х and с
    'Ox7099…79C8',
    '(0x7099…79C8)',
    '🦊0x7099',
    'alice 0x7099…79C8',
    '0x7099oo79C8',
    '0xdeadbeef',
  ])('error: %s looks like an address', (name) => {
    expect(usernameRefusal(name.normalize('NFKC'))).toContain('address')
  })
})

describe('usernameSkeleton', () => {
  test.each([
    ['сосо', 'coco'],
    ['СОСО', 'coco'],
    ['НАТА', 'hata'],
    ['ӓ', 'ä'],
    ['ορορ', 'opop'],
    ['Ιοαν', 'Ioav'],
    ['օօ', 'oo'],
    ['०', 'o'],
    ['⍺lice', 'alice'],
  ])('default: %s looks like %s', (name, other) => {
    expect(usernameSkeleton(name)).toBe(usernameSkeleton(other))
  })

  test.each([
    ['rn', 'm'],
    ['paypal', 'paypa1'],
    ['O', '0'],
    ['Il', 'll'],
    ['vv', 'w'],
    ['мария', 'maria'],
  ])('behavior: %s and %s are different names', (name, other) => {
    expect(usernameSkeleton(name)).not.toBe(usernameSkeleton(other))
  })

  test('behavior: an ASCII name is its own skeleton, so no two of them conflict', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...asciiCharacters), minLength: 1 }), (name) => {
        expect(usernameSkeleton(name)).toBe(usernameKey(name))
      }),
      { seed: 20_261_122 },
    )
  })

  test('behavior: ignores composition and surrounding spaces', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), (name) => {
        expect(usernameSkeleton(` ${name.normalize('NFD')} `)).toBe(usernameSkeleton(name))
      }),
      { seed: 20_261_122 },
    )
  })
})

const asciiCharacters = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index))
