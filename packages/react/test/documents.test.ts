import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')
const app = (path: string) => read(`examples/embedded-app/${path}`)

describe('documents that people copy from', () => {
  test('behavior: the tutorial contains the files of the example that runs in a browser', async () => {
    const blocks = [
      ...(await read('docs/tutorial.md')).matchAll(/<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)```/g),
    ]
    expect(blocks.map(([, path]) => path)).toEqual(['index.html', 'src/style.css', 'src/main.tsx'])
    for (const [, path = '', text] of blocks) expect(text, path).toBe(await app(path))
  })

  test.each([
    ['packages/react/README.md', 1],
    ['docs/guides/apps-on-phones.md', 1],
    ['docs/guides/next-js.md', 2],
    ['docs/guides/vanilla-javascript.md', 2],
    ['docs/tutorial.md', 1],
  ])('behavior: %s contains its examples', async (page, count) => {
    const blocks = [...(await read(page)).matchAll(/<!-- same as: (\S+) -->\n```\w+\n([\s\S]*?)```/g)]
    expect(blocks).toHaveLength(count)
    for (const [, path = '', text] of blocks) expect(text, path).toBe(await read(path))
  })

  test('behavior: the app of components has at most 12 lines', async () => {
    const lines = (await read('packages/react/test/component-app.tsx')).split('\n')
    expect(lines.filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(12)
  })

  test('behavior: the example of an account and a payment has at most 30 lines', async () => {
    const lines = (await app('src/main.tsx')).split('\n').filter((line) => line.trim() !== '')
    expect(lines.length).toBeLessThanOrEqual(30)
    expect(lines.find((line) => line.length > 110)).toBeUndefined()
  })
})
