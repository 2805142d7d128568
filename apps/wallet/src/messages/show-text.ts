/**
 * Invisible characters, and characters that change the order of others: C0 and C1 controls except the line
 * break, zero-width and format characters (Unicode Cf, which includes bidi embeddings, overrides and
 * isolates), line and paragraph separators.
 */
const invisible = /[^\P{Cc}\n]|\p{Cf}|\p{Zl}|\p{Zp}/gu

/** Makes untrusted text safe to show: an invisible character becomes `\u{202e}`, for example. */
export const showText = (text: string): string =>
  text.replace(invisible, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
