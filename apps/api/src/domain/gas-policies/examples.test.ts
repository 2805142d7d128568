import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { policiesFile } from './gas-policy.ts'

test('default: the examples of docs/gas-policies.md are valid', async () => {
  const page = await readFile(new URL('../../../../../docs/gas-policies.md', import.meta.url), 'utf8')
  const examples = [...page.matchAll(/```json policies\n([\s\S]*?)```/g)].map(([, text = '']) =>
    JSON.parse(text.replaceAll(/\$\{\w+\}/g, 'key')),
  )
  expect(examples).toHaveLength(3)
  for (const example of examples) expect(policiesFile.safeParse(example).error).toBeUndefined()
})
