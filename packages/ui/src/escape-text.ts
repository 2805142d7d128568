/**
 * Invisible characters and characters that change how the surrounding text is read: controls and line breaks,
 * bidirectional controls, zero-width and other format characters (Unicode categories Cc, Cf, Zl, Zp),
 * unpaired surrogates, and more stacked combining marks than any script needs.
 */
const dangerous = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{3164}\u{ffa0}]|(?<=\p{M}{3})\p{M}+/gu

/**
 * Makes untrusted text safe to show: invisible characters become their code, and the text is cut to
 * `maxLength` characters.
 */
export function escapeText(text: string, maxLength: number): string {
  const shown = text.replace(dangerous, (found) =>
    [...found].map((character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join(''),
  )
  const characters = [...shown]
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : shown
}
