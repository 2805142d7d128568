/**
 * A cell of CSV (RFC 4180) with a text that people chose. A spreadsheet runs a cell that begins like a formula: an apostrophe
 * makes it a text (OWASP, CSV injection). Where the comma separates decimals, a spreadsheet splits lines at semicolons and minds
 * no quotes within them, so every part that could become a cell gets one.
 */
export const toCsvText = (text: string): string =>
  `"${text.replace(/(?<=^|[;\t\r\n])(?=[\s\p{Cf}"]*[=+\-@＝＋－＠])|^(?=[\t\r])/gu, "'").replaceAll('"', '""')}"`
