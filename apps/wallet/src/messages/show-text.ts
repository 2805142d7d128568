/**
 * Characters that a person cannot see, or that change the order in which others are seen: C0 and C1 controls except the
 * line break, zero-width and format characters (Unicode Cf: bidi embeddings, overrides and isolates among them), line and
 * paragraph separators.
 */
const invisible = /[^\P{Cc}\n]|\p{Cf}|\p{Zl}|\p{Zp}/gu

/** A text of somebody else's as it is shown: what is invisible in it becomes `\u{202e}`. */
export const showText = (text: string): string =>
  text.replace(invisible, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
