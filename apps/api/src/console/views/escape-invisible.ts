/** Shows what a text hides: characters without a form could make it look like another one. */
export const escapeInvisible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (character) =>
    character === '\n' ? character : escapeJson(character),
  )

/** RFC 8259 §7: `\uXXXX`, as a pair for characters outside of the basic plane. */
const escapeJson = (text: string): string =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
