import { expect } from 'vitest'

/** The code block of a document that follows `<!-- run: name -->`. */
export function blockOf(markdown: string, name: string): string {
  const block = new RegExp(`<!-- run: ${name} -->\\n\`\`\`\\w+\\n([^]*?)\`\`\``).exec(markdown)?.[1]
  expect(block, `the document has a block ${name}`).toBeDefined()
  return block ?? ''
}
