import { describe, expect, test } from 'vitest'
import { escapeText } from './escape-text.ts'

describe('escapeText', () => {
  test.each(['Chess Club', 'Café Ωmega', 'Schachclub Zürich', '象棋 🎮', 'शतरंज'])('default: "%s"', (text) => {
    expect(escapeText(text, 64)).toBe(text)
  })

  test.each([
    ['a right-to-left override', 'gro\u202emoc', 'gro\\u{202e}moc'],
    ['an isolate', '\u2066a\u2069', '\\u{2066}a\\u{2069}'],
    ['a line break', 'a\nb', 'a\\u{a}b'],
    ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
    ['a zero-width space', 'ad\u200bmin', 'ad\\u{200b}min'],
    ['a null', 'a\0', 'a\\u{0}'],
    ['half of a surrogate pair', 'a\ud83d', 'a\\u{d83d}'],
    ['a blank letter', 'a\u3164', 'a\\u{3164}'],
  ])('behavior: escapes %s', (_, text, shown) => {
    expect(escapeText(text, 64)).toBe(shown)
  })

  test('behavior: limits combining marks', () => {
    expect(escapeText(`a${'\u0301'.repeat(30)}`, 300)).toMatch(/^a\u0301{3}\\u\{301\}/)
  })

  test('behavior: truncates between characters', () => {
    expect(escapeText('🎮'.repeat(10), 4)).toBe('🎮🎮🎮🎮…')
  })
})
