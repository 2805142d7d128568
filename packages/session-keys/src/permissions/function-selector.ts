import { type Hex, toFunctionSelector } from 'viem'

/** Maximum characters of a signature. Types may be nested, so this also bounds the stack. */
const maxLength = 256

const widths = Array.from({ length: 32 }, (_, index) => 8 * (index + 1)).join('|')
const elementary = new RegExp(
  `(?:address|bool|function|string|bytes(?:[1-9]|[12]\\d|3[0-2])?|u?int(?:${widths})?)(?=[[,)])`,
  'y',
)
const arrays = /(?:\[(?:[1-9]\d*)?\])*/y

/** Matches only types: the name of a function comes before the first parenthesis. */
const withoutWidth = /(?<=[(,]u?int)(?=[[,)])/g

/**
 * The selector of a signature; a selector is returned unchanged. Undefined for anything else. A signature has
 * the form that is hashed: types only, no names and no spaces. Its types must exist, because a wrong one
 * would give a selector that no contract has. It is parsed here, because viem's parser caches every parameter
 * that it has ever read, and takes seconds for some texts.
 */
export function functionSelector(text: string): Hex | undefined {
  if (/^0x[0-9a-fA-F]{8}$/.test(text)) return text.toLowerCase() as Hex // matched above
  if (text.length > maxLength) return undefined
  const [name] = /^[A-Za-z_$][\w$]*(?=\()/.exec(text) ?? []
  if (name === undefined) return undefined
  const isSignature = text === `${name}()` || endOfTypes(text, name.length) === text.length
  return isSignature ? toFunctionSelector(text.replace(withoutWidth, '256')) : undefined
}

/** The end of the parenthesised types that begin at `start`; undefined if there are none. */
function endOfTypes(text: string, start: number): number | undefined {
  let at = start
  do {
    const begin = at + 1
    const end = text[begin] === '(' ? endOfTypes(text, begin) : endOf(elementary, text, begin)
    if (end === undefined) return undefined
    at = endOf(arrays, text, end) ?? end
  } while (text[at] === ',')
  return text[at] === ')' ? at + 1 : undefined
}

/** The end of a sticky pattern's match at `start`. */
function endOf(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : undefined
}
