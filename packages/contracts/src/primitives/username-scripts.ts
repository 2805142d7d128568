/** The scripts of living languages: UAX 31, table 5, without Common and Inherited. */
export const recommendedScripts = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Bopomofo',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Han',
  'Hangul',
  'Hebrew',
  'Hiragana',
  'Kannada',
  'Katakana',
  'Khmer',
  'Lao',
  'Latin',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
] as const

type Script = (typeof recommendedScripts)[number]

/** UTS 39 §5.2, "highly restrictive": the permitted combinations of scripts. */
const combinations: readonly (readonly Script[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]

const covers = [...recommendedScripts.map((script) => [script]), ...combinations].map((scripts) => {
  const sets = ['Common', 'Inherited', ...scripts].map((script) => `\\p{Script_Extensions=${script}}`)
  return new RegExp(`^[${sets.join('')}]*$`, 'u')
})

/**
 * True for a text of one script, or of scripts that are combined in one language (UTS 39 §5.2, "highly
 * restrictive").
 */
export const isHighlyRestrictive = (text: string): boolean => covers.some((cover) => cover.test(text))
