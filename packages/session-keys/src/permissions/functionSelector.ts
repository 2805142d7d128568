import { type Hex, toFunctionSelector } from 'viem'

/** Characters of a signature. Types may stand in one another, so this bounds the stack, too. */
const maxLength = 256

const widths = Array.from({ length: 32 }, (_, index) => 8 * (index + 1)).join('|')
const elementary = new RegExp(
  `(?:address|bool|function|string|bytes(?:[1-9]|[12]\\d|3[0-2])?|u?int(?:${widths})?)(?=[[,)])`,
  'y',
)
const arrays = /(?:\[(?:[1-9]\d*)?\])*/y

/** Where only a type can stand: the name of a function comes before the first parenthesis. */
const withoutWidth = /(?<=[(,]u?int)(?=[[,)])/g

/**
 * The selector of a signature or of itself; nothing when it is neither. A signature has the form that is hashed: types
 * only, no names and no spaces. Its types must exist, since another one would be hashed to a selector that no contract
 * has. Parsed here, since viem's parser keeps every parameter that it has ever read, and some texts cost it seconds.
 */
export function functionSelector(text: string): Hex | undefined {
  if (/^0x[0-9a-fA-F]{8}$/.test(text)) return text.toLowerCase() as Hex // just matched
  if (text.length > maxLength) return undefined
  const [name] = /^[A-Za-z_$][\w$]*(?=\()/.exec(text) ?? []
  if (name === undefined) return undefined
  const isSignature = text === `${name}()` || endOfTypes(text, name.length) === text.length
  return isSignature ? toFunctionSelector(text.replace(withoutWidth, '256')) : undefined
}

/** The end of the types in parentheses that begin at `start`; nothing when they are none. */
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

/** The end of what a sticky pattern matches at `start`. */
function endOf(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : undefined
}
