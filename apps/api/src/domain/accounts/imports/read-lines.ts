/** A line of a file without its end; `tooLong` and `notUtf8` have no text. */
export type Line = { readonly number: number } & (
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: 'too-long' | 'not-utf8' }
)

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Splits a stream of bytes into lines. At most one line of the given length is in memory: the rest of a longer one is skipped.
 * Bytes that are not UTF-8 concern their line only. A byte order mark is ignored.
 *
 * @param maxLength - bytes of a line
 */
export async function* readLines(source: AsyncIterable<Uint8Array>, maxLength: number): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let number = 1
  let parts: Uint8Array[] = []
  let length = 0
  const add = (bytes: Uint8Array) => {
    length += bytes.length
    if (length <= maxLength) parts.push(bytes)
    else parts = []
  }
  const end = (): Line => {
    const bytes = Buffer.concat(parts)
    const isTooLong = length > maxLength
    const ofLine = { number }
    number += 1
    parts = []
    length = 0
    if (isTooLong) return { ...ofLine, problem: 'too-long' }
    try {
      return {
        ...ofLine,
        text: decoder.decode(bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes),
      }
    } catch {
      return { ...ofLine, problem: 'not-utf8' }
    }
  }
  for await (const chunk of source) {
    let rest = chunk
    for (let at = rest.indexOf(lineFeed); at !== -1; at = rest.indexOf(lineFeed)) {
      add(rest.subarray(0, at))
      yield end()
      rest = rest.subarray(at + 1)
    }
    add(rest)
  }
  if (length > 0) yield end()
}
