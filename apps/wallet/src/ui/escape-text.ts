/**
 * Characters that change how the text around them is read, or that are invisible: controls and line breaks, bidirectional
 * controls, zero-width and other format characters (Unicode categories Cc, Cf, Zl, Zp), surrogates without a partner,
 * and combining marks piled higher than any script needs.
 */
const dangerous = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{3164}\u{ffa0}]|(?<=\p{M}{3})\p{M}+/gu

/**
 * A text that somebody else chose, made safe to show beside our own: invisible characters become their code, and no
 * more than `maxLength` characters stay.
 */
export function escapeText(text: string, maxLength: number): string {
  const shown = text.replace(dangerous, (found) =>
    [...found].map((character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join(''),
  )
  const characters = [...shown]
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : shown
}
