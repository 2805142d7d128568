import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { networksFileSchema } from './networks-file-schema.ts'

test('behavior: the committed schema matches the sources', async () => {
  const committed = await readFile(new URL('../networks.schema.json', import.meta.url), 'utf8')
  expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(networksFileSchema())))
})
