/**
 * Characters of one script that look like a text of the same script: the text, then the characters, among them
 * phonetic letters and small capitals. UTS 39 counts more of them, such as `rn` and `m`, which people tell apart and need.
 */
const alike: readonly (readonly [looksLike: string, characters: string])[] = [
  ['l', 'I1|ǀɫⱡƚȽⱢⱠłŁʟ'],
  ['i', 'ıɨƗᵻɪ'],
  ['j', 'ȷɉɈᴊ'],
  ['a', 'ⱥȺɑᴀ'],
  ['b', 'ƀɃʙ'],
  ['c', 'ȼȻꞓꞒᴄ'],
  ['d', 'đĐðÐᴅ'],
  ['e', 'ɇɆᴇ'],
  ['g', 'ǥǤꞡꞠɡɢ'],
  ['h', 'ħĦʜ'],
  ['k', 'ꝁꝀꞣꞢᴋ'],
  ['n', 'ꞥꞤɴ'],
  ['o', 'øØɵƟᴏ'],
  ['p', 'ᵽⱣꝑꝐᴘ'],
  ['q', 'ꝗꝖ'],
  ['r', 'ɍɌꞧꞦʀ'],
  ['s', 'ꞩꞨꜱ'],
  ['t', 'ŧŦⱦȾᴛ'],
  ['u', 'ʉɄᵾᴜ'],
  ['y', 'ɏɎʏ'],
  ['m', 'ᴍ'],
  ['f', 'ꜰ'],
  ['v', 'ᴠ'],
  ['w', 'ᴡ'],
  ['z', 'ƶƵᴢ'],
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

/** Replaces what looks like another letter of its own script. @param text - decomposed (NFD), in its own case */
export const foldAlike = (text: string): string =>
  [...text.replace(dotAbove, (_, letter: string) => letter.toLowerCase()).replace(overlays, '')]
    .map((character) => folds.get(character) ?? character)
    .join('')
