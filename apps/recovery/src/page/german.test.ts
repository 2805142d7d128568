import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { de } from './de.ts'

const sources = new URL('..', import.meta.url)

/** Every text of the page: from the calls of `t`, and from the elements that are translated at the start. */
function textsOf(): ReadonlySet<string> {
  const texts = new Set<string>()
  for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts') || name === 'cli.ts') continue
    const file = ts.createSourceFile(
      name,
      readFileSync(new URL(name, sources), 'utf8'),
      ts.ScriptTarget.Latest,
    )
    const visit = (node: ts.Node) => {
      const [text] = ts.isCallExpression(node) && node.expression.getText(file) === 't' ? node.arguments : []
      if (text && ts.isStringLiteralLike(text)) texts.add(text.text)
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  const pages = ['page/page.html', 'key-page/key.html'].map((name) =>
    readFileSync(new URL(name, sources), 'utf8'),
  )
  for (const page of pages)
    for (const [, text = ''] of page.matchAll(/\sdata-t(?:\s[^>]*)?>([^<]+)</g))
      texts.add(text.replace(/\s+/g, ' ').trim())
  return texts
}

const namesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

test('behavior: every text exists in German, and no other', () => {
  const texts = textsOf()
  expect(texts.size).toBeGreaterThan(100)
  expect([...texts].filter((text) => de[text] === undefined)).toEqual([])
  expect(Object.keys(de).filter((text) => !texts.has(text))).toEqual([])
})

test('behavior: a translation has the values of its text', () => {
  for (const [text, german] of Object.entries(de)) expect(namesOf(german)).toEqual(namesOf(text))
})
