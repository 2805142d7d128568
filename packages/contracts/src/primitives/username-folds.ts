/**
 * Characters of one script that look like a text of the same script: the text, then the characters, among them
 * phonetic letters, small capitals, hyphens and apostrophes. UTS 39 counts more of them, such as `rn` and `m`, which people tell apart and need.
 */
const alike: readonly (readonly [looksLike: string, characters: string])[] = [
  ['l', 'I1|ǀɫⱡƚȽⱢⱠłŁʟ'],
  ['i', 'ıɨƗᵻɪɩ'],
  ['j', 'ȷɉɈᴊ'],
  ['a', 'ⱥȺɑᴀ'],
  ['b', 'ƀɃʙƅ'],
  ['c', 'ȼȻꞓꞒᴄ'],
  ['d', 'đĐðÐᴅ'],
  ['e', 'ɇɆᴇ'],
  ['g', 'ǥǤꞡꞠɡɢƍ'],
  ['h', 'ħĦʜ'],
  ['k', 'ꝁꝀꞣꞢᴋĸ'],
  ['n', 'ꞥꞤɴ'],
  ['o', '0øØɵƟᴏ'],
  ['p', 'ᵽⱣꝑꝐᴘ'],
  ['q', 'ꝗꝖ'],
  ['r', 'ɍɌꞧꞦʀꭇꭈ'],
  ['s', 'ꞩꞨꜱ'],
  ['t', 'ŧŦⱦȾᴛ'],
  ['u', 'ʉɄᵾᴜʋꭎꭒ'],
  ['y', 'ɏɎʏɣỿ'],
  ['m', 'ᴍ'],
  ['f', 'ꜰꬵẝ'],
  ['v', 'ᴠ'],
  ['w', 'ᴡɯ'],
  ['z', 'ƶƵᴢ'],
  ['-', '\u2010\u2012\u2013\u2212\u02d7\u2043'],
  ["'", '\u2018\u2019\u02b9\u02bb\u02bc\u02c8\u2032\ua78c'],
]

const folds = new Map(
  alike.flatMap(([looksLike, characters]) =>
    [...characters].map((character) => [character, looksLike] as const),
  ),
)

/** A dot above a letter that has one anyway: after `I` it makes the capital of a dotted i. */
const dotAbove = /([ij])\u0307/gi

/** Strokes and slashes through a letter. */
const overlays = /[\u0334-\u0338\u20d2\u20d3\u20e5\u20ea\u20eb]/g

/**
 * Marks above and below Latin letters, and letters that look Latin: a person who knows `zoe` may pay `zoé`. In other
 * scripts a mark makes another letter, or a vowel.
 */
const latinMarks = /(\p{Script=Latin})\p{Mn}+/gu

/** Replaces what looks like another letter of its own script. @param text - decomposed (NFD), in its own case */
export const foldAlike = (text: string): string =>
  [
    ...text
      .replace(dotAbove, (_, letter: string) => letter.toLowerCase())
      .replace(overlays, '')
      .replace(latinMarks, '$1'),
  ]
    .map((character) => folds.get(character) ?? character)
    .join('')
