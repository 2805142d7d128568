import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'

/** Each source file of a folder that is not a test, as a tree. */
function* sourcesOf(folder: URL): Generator<readonly [name: string, file: ts.SourceFile]> {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name) || /\.test\./.test(name)) continue
    const text = readFileSync(new URL(name, folder), 'utf8')
    yield [name, ts.createSourceFile(name, text, ts.ScriptTarget.Latest)]
  }
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

/** The texts of a first argument: a literal, or a choice of literals. */
function textsOf(node: ts.Expression | undefined, place: string): readonly string[] {
  if (node && ts.isStringLiteralLike(node)) return [node.text]
  if (node && ts.isConditionalExpression(node))
    return [...textsOf(node.whenTrue, place), ...textsOf(node.whenFalse, place)]
  throw new TypeError(`${place}: t() and rich() take a literal, so that no catalogue lacks it`)
}

/** Every message of the sources in a folder, from their calls of `t` and `rich`. */
export function messagesOf(folder: URL): ReadonlySet<string> {
  const messages = new Set<string>()
  for (const [name, file] of sourcesOf(folder))
    walk(file, (node) => {
      if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return
      if (!/^(t|rich)$/.test(node.expression.text)) return
      for (const message of textsOf(node.arguments[0], name)) messages.add(message)
    })
  return messages
}

/** The names in a message, without the words of plural cases. */
export const namesOf = (message: string) =>
  [...new Set([...message.matchAll(/\{(\w+)(?:\}|, plural)/g)].map(([, name]) => name))]
    .filter((name) => !new RegExp(`(?:one|other|=\\d+) \\{${name}\\}`).test(message))
    .sort()

/** Attributes whose text people see or hear. */
const shownAttributes =
  /^(title|label|intro|hint|summary|placeholder|alt|term|verb|undone|aria-label|aria-description)$/

/** The same in every language. */
const untranslated = new Set(['0x'])

/** Text that is written in JSX instead of being passed to `t`. Names and code are not translated. */
export function literalsOf(folder: URL): readonly string[] {
  const found: string[] = []
  for (const [name, file] of sourcesOf(folder)) {
    const note = (shown: string) => {
      const words = shown.trim()
      if (/\p{L}{2}/u.test(words) && !untranslated.has(words)) found.push(`${name}: ${words}`)
    }
    walk(file, (node) => {
      if (ts.isJsxText(node)) note(node.text)
      if (!ts.isJsxAttribute(node) || !node.initializer || !ts.isStringLiteral(node.initializer)) return
      if (shownAttributes.test(node.name.getText(file))) note(node.initializer.text)
    })
  }
  return found
}
