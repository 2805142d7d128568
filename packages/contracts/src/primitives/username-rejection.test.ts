// @promise 24 B.16 C.13
import { createHash } from 'node:crypto'
import { numericSeed } from '@lanyard/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { reservedUsernames } from './reserved-username.ts'
import { newUsername, usernameKey } from './username.ts'
import { usernameRefusal } from './username-rejection.ts'
import { usernameSkeleton, usernameSkeletonVersion } from './username-skeleton.ts'

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
    expect(usernameRefusal(name, reservedUsernames)).toBeUndefined()
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
    expect(usernameRefusal(name, reservedUsernames)).toContain('script')
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
    '0x1111',
  ])('error: %s looks like an address', (name) => {
    expect(usernameRefusal(name.normalize('NFKC'), reservedUsernames)).toContain('address')
  })
})

describe('usernameSkeleton', () => {
  test('behavior: another skeleton of any character has another version, so that stored names follow', () => {
    const hash = createHash('sha256')
    for (let code = 0x21; code < 0xd800; code++) {
      const character = String.fromCodePoint(code)
      const skeleton = usernameSkeleton(character)
      if (skeleton !== usernameKey(character)) hash.update(`${character}${skeleton}`)
    }
    expect({ version: usernameSkeletonVersion, digest: hash.digest('hex') }).toEqual({
      version: 2,
      digest: 'b648aadd5330f2c6198916b35ad62d5cfdcc08c39cf6cde64bf276fc42e07d0c',
    })
  })

  test('default: a name of ASCII looks the same beside a letter that is none', () => {
    for (let code = 0x21; code < 0x7f; code++) {
      const name = `x${String.fromCharCode(code)}x`
      expect(usernameSkeleton(`${name}é`)).toBe(`${usernameSkeleton(name)}e`)
    }
  })

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
    ['vv', 'w'],
    ['мария', 'maria'],
  ])('behavior: %s and %s are different names', (name, other) => {
    expect(usernameSkeleton(name)).not.toBe(usernameSkeleton(other))
  })

  test('behavior: two ASCII names conflict only by I, l, 1 and |, and by O and 0', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...asciiCharacters), minLength: 1 }), (name) => {
        expect(usernameSkeleton(name)).toBe(usernameKey(name.replaceAll(/[I1|]/g, 'l').replaceAll('0', 'o')))
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

describe('reserved usernames', () => {
  test.each([
    'admin',
    'Admin',
    'ADMIN',
    'ad.min',
    'adm1n'.replace('1', 'ı'),
    'support',
    'Suppørt',
    'suppo\u0338rt',
    'Lanyard',
    'Ianyard',
    '1anyard',
    'łanyard',
    'lanyard-admin',
    'Lanyard Support',
    'official_support',
    'ADM1N',
    'admin1',
    'Support 24',
    'team7',
    'lanyard-admin-2',
    'adm1n',
    '\u00e1dmin',
    'adm\u0129n',
    'admi\u0301n',
    '\u00e1dmin-t\u00e9am',
    'ѕupport'.replace('ѕ', '\ua731'),
    'l\u1d00nyard',
    'la\u0274yard',
    '\u0251dmin',
    'supp0rt',
    '5upport',
    'r00t',
    't3am',
    '\uff41\uff44\uff4d\uff49\uff4e',
    '\u24d0\u24d3\u24dc\u24d8\u24dd',
  ])('error: %s is reserved', (name) => {
    expect(usernameRefusal(name.normalize('NFKC'), reservedUsernames)).toContain('reserved')
  })

  test.each([
    'administer',
    'supporter',
    'bob-support',
    'teamwork',
    'team7up',
    'admin1234x',
    '1984',
    'adm',
    '...',
    '🦊',
  ])('default: %s is free', (name) => {
    expect(usernameRefusal(name, reservedUsernames)).toBeUndefined()
  })

  test("behavior: the operator's list replaces ours", () => {
    expect(usernameRefusal('acme', ['acme'])).toContain('reserved')
    expect(usernameRefusal('support', ['acme'])).toBeUndefined()
  })
})

describe('names of name services', () => {
  test.each([
    'vitalik.eth',
    'Vitalik.ETH',
    'pay.vitalik.eth',
    'bob.sol',
    'bob.x',
    'bob.eth.',
    'bob\u3002eth',
  ])('error: %s', (name) => {
    expect(usernameRefusal(name, reservedUsernames)).toContain('name service')
  })

  test.each([
    'bob.smith',
    'bob@example.com',
    'bob@mail.eth',
    'eth',
    'ethan',
    'j.r.r',
    'bob.ethan',
    'dr.x-ray',
  ])('default: %s is free', (name) => {
    expect(usernameRefusal(name, reservedUsernames)).toBeUndefined()
  })
})

describe('look-alikes of one script', () => {
  test.each([
    ['alice', 'aIice'],
    ['alice', 'a1ice'],
    ['lia', 'lıa'],
    ['dana', 'đana'],
    ['dana', 'Đana'],
    ['ola', 'ola\u0338'],
    ['ola', 'øla'],
    ['Illinois', 'lllinois'],
    ['Illinois', '1llinois'],
    ['ivan', '\u0131van'],
    ['ivan', 'i\u0307van'],
    ['thomas', 'ŧħomas'],
    ['lukas', 'łukas'],
    ['anna', '\u0251nna'],
    ['gina', '\u0261ina'],
    ['Sina', '\ua731ina'],
    ['lena', 'le\u0274a'],
    ['tim', 't\u0269m'],
    ['ben', '\u0185en'],
    ['ute', '\u028bte'],
    ['rosa', '\uab47osa'],
    ['fritz', '\uab35ritz'],
    ['wanda', '\u026fanda'],
    ['bob smith', 'bob  smith'],
    ['zoë smith', 'zoë  smith'],
    ['bob-smith', 'bob\u2010smith'],
    ['bob-smith', 'bob\u2011smith'],
    ['bob-smith', 'bob\u2013smith'],
    ['bob-smith', 'bob\u2212smith'],
    ["o'brien", 'o\u2019brien'],
    ["o'brien", 'o\u02bcbrien'],
    ['vitalik0', 'vitalikO'],
    ['zoe', 'zoé'],
    ['max', 'maẋ'],
    ['kim', 'ĸim'],
    ['anna', 'ạnna'],
    ['jozef', 'józef'],
    ['muller', 'müller'],
    ['артем', 'артём'],
  ])('behavior: %s and %s have one skeleton', (name, other) => {
    expect(usernameSkeleton(other)).toBe(usernameSkeleton(name))
  })

  test.each([
    ['rn', 'm'],
    ['ian', 'lan'],
    ['vv', 'w'],
    ['bobsmith', 'bob smith'],
    ['अमित', 'अमत'],
    ['สุชาย', 'สชาย'],
  ])('behavior: %s and %s are different names', (name, other) => {
    expect(usernameSkeleton(other)).not.toBe(usernameSkeleton(name))
  })
})

/** What a third party tried against an existing name, each in a way that the rules above decide differently. */
describe('a name that exists, or is reserved', () => {
  test.each([
    ['Cyrillic', 'alice', '\u0430lice'],
    ['Cyrillic within', 'alice', 'al\u0456ce'],
    ['Cyrillic alone', 'coco', '\u0441\u043e\u0441\u043e'],
    ['Cyrillic capitals', 'TOM', '\u0422\u041e\u041c'],
    ['Cyrillic for l', 'lola', '\u04cfola'],
    ['Greek', 'alice', '\u03b1lice'],
    ['Greek capitals', 'KATE', '\u039a\u0391\u03a4\u0395'],
    ['Greek iota', 'tim', 't\u03b9m'],
    ['Armenian', 'nina', '\u0578ina'],
    ['Georgian', 'yan', '\u10e7an'],
    ['Hebrew', 'lola', '\u05c0ola'],
    ['Lisu', 'lola', '\ua4e1ola'],
    ['full width', 'alice', '\uff41\uff4c\uff49\uff43\uff45'],
    ['one full width', 'alice', '\uff41lice'],
    ['mathematical', 'alice', '\u{1d41a}\u{1d425}\u{1d422}\u{1d41c}\u{1d41e}'],
    ['a Roman numeral', 'max', 'ma\u2179'],
    ['a ligature', 'fiona', '\ufb01ona'],
    ['another case', 'alice', 'ALICE'],
    ['spaces around', 'alice', ' alice '],
    ['a stroke over it', 'ben', 'b\u0335en'],
    ['no width', 'alice', 'al\u200bice'],
    ['a joiner', 'alice', 'al\u200dice'],
    ['a word joiner', 'alice', 'al\u2060ice'],
    ['a soft hyphen', 'alice', 'alice\u00ad'],
    ['a grapheme joiner', 'alice', 'al\u034fice'],
    ['an override of direction', 'alice', '\u202ealice'],
    ['a Hangul filler', 'alice', 'alice\u3164'],
    ['an empty Braille pattern', 'alice', 'alice\u2800'],
    ['a control character', 'alice', 'ali\u0007ce'],
    ['a private character', 'alice', 'alice\ue000'],
    ['a variation selector', 'alice', 'alice\ufe0f'],
    ['another space', 'bob smith', 'bob\u2003smith'],
  ])('error: %s leaves %s to its owner', (_name, name, other) => {
    const { data } = newUsername.safeParse(other)
    if (data === undefined) return // rejected as invisible
    const isAlike = [usernameKey, usernameSkeleton].some((form) => form(data) === form(name))
    expect(isAlike || usernameRefusal(data, reservedUsernames) !== undefined).toBe(true)
  })

  test.each(
    [
      ['Müller', 'Weiß', 'Jürgen', 'Björn', 'Zoë', 'Ilse'],
      ['İbrahim', 'Işıl', 'Iğdır', 'Ayşe', 'Çağla', 'Ömer'],
      ['Nguyễn', 'Đặng', 'Trần', 'Phương', 'Hải', 'Thị'],
      ['Łukasz', 'Paweł', 'Małgorzata', 'Jóźwiak', 'Żaneta', 'Zażółć'],
    ].flat(),
  )('default: %s can be registered', (name) => {
    expect(usernameRefusal(newUsername.parse(name), reservedUsernames)).toBeUndefined()
  })

  test('default: names of one language do not take each other', () => {
    const names = ['Paweł', 'Pavel', 'Michał', 'Michel', 'Işık', 'Ilık', 'Đức', 'Đạt', 'Nguyễn', 'Müller']
    expect(new Set(names.map(usernameSkeleton)).size).toBe(names.length)
  })
})
