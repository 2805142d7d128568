import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contrastProblems, defaultPalettes, themes } from './palette.ts'
import { defaultBrand, readBrand } from './read-brand.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'brand-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function read(brand: unknown) {
  const path = join(folder, 'brand.json')
  await writeFile(path, JSON.stringify(brand))
  return readBrand(path)
}
const problemsOf = (brand: unknown) =>
  read(brand).then(
    () => '',
    (error: Error) => error.message,
  )

describe('brand', () => {
  test('default: without a file it is Lanyard, and without style sheet', async () => {
    expect(await readBrand(undefined)).toBe(defaultBrand)
    expect(defaultBrand).toMatchObject({ css: '', isOwn: false, shown: { name: 'Lanyard', logo: null } })
  })

  test('behavior: the default palettes are those of the wallet, and readable', async () => {
    const styles = await readFile(
      new URL('../../../../../packages/ui/src/palette.css', import.meta.url),
      'utf8',
    )
    for (const theme of themes) {
      expect(contrastProblems(defaultPalettes[theme])).toEqual([])
      for (const [name, color] of Object.entries(defaultPalettes[theme]))
        expect(styles).toMatch(
          new RegExp(
            `--color-${name}: light-dark\\(${theme === 'light' ? `${color},` : `#[0-9a-f]{6}, ${color}\\)`}`,
          ),
        )
    }
  })

  test('behavior: a brand has its own colours, and those derived from them, in both themes', async () => {
    await writeFile(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    const brand = await read({
      name: 'Tern',
      logo: 'logo.svg',
      colors: { light: { primary: '#1D4ED8' }, dark: { background: '#0b1020' } },
    })
    expect(brand.shown).toMatchObject({
      name: 'Tern',
      colors: { light: { primary: '#1d4ed8', onPrimary: '#ffffff' }, dark: { background: '#0b1020' } },
      features: { sessionKeys: true },
    })
    expect(brand.shown.logo).toMatch(/^\/icon\.svg\?[0-9a-f]{12}$/)
    expect(brand.css).toContain('--color-primary: light-dark(#1d4ed8, #e9eeea);')
    expect(brand.css).toContain('--color-paper: light-dark(#f7f8f5, #0b1020);')
    expect(brand.css).not.toContain('danger')
  })

  test('error: each wrong field is named', async () => {
    const text = await problemsOf({
      nmae: 'Tern',
      colors: { light: { primary: 'blue' } },
      links: { support: 'javascript:alert(1)' },
      features: { sessionKeys: 'yes' },
    })
    for (const problem of [
      /There is no member "nmae"/,
      /colors\.light\.primary: Expected a colour such as #0c6a4c/,
      /links\.support: Expected an https:\/\/ or mailto: address/,
      /features\.sessionKeys: Expected true or false/,
    ])
      expect(text).toMatch(problem)
    expect(await problemsOf({ logo: 'absent.png' })).toContain('logo: the file cannot be read (ENOENT)')
    await writeFile(join(folder, 'false.png'), 'hello')
    expect(await problemsOf({ logo: 'false.png' })).toContain('logo: the file is not what its name says')
  })

  test('error: colours that cannot be told apart are refused by field, with the contrast', async () => {
    const text = await problemsOf({
      colors: { light: { accent: '#ffb347' }, dark: { background: '#ffffff' } },
    })
    expect(text).toMatch(
      /colors\.light\.accent: the contrast of links on the background is 1\.\d\d \(#ffb347, #f7f8f5\); WCAG AA needs 4\.5/,
    )
    expect(text).toMatch(/colors\.dark\.text: the contrast of text on the background/)
    expect(text).not.toContain('colors.light.text')
  })
})
