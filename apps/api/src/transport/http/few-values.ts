/** Maximum number of values in a body. The largest that an endpoint can use is typed data of 32 KiB. */
export const maxValues = 8_192

const quote = 34
const backslash = 92
const comma = 44
const bracket = 91
const brace = 123

/**
 * Whether a JSON text has few enough values to be parsed in a millisecond or two. A value costs two bytes to
 * send and up to a hundred times as much to parse as a byte of a text. Counts the bytes that begin a value,
 * and stops at the limit.
 */
export function hasFewValues(json: Uint8Array): boolean {
  if (json.length <= maxValues) return true
  let values = 0
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]
    if (byte === quote) index = endOfText(json, index)
    else if ((byte === comma || byte === bracket || byte === brace) && ++values > maxValues) return false
  }
  return true
}

/**
 * The index of the quote that ends the text. Most texts have no escapes, so the next quote is found at once; a search
 * from each escaped quote to the next would take longer than looking at each byte.
 */
function endOfText(json: Uint8Array, start: number): number {
  const next = json.indexOf(quote, start + 1)
  if (next < 0) return json.length
  if (json[next - 1] !== backslash) return next
  for (let index = start + 1; index < json.length; index++) {
    if (json[index] === backslash) index++
    else if (json[index] === quote) return index
  }
  return json.length
}
