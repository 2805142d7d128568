/** @module-tag all */
/** @module-tag longer */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { describeOnStage } from './stage.ts'
import { startService } from './start-service.ts'

/** A bird in two strokes. */
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d4ed8"/><path d="M5 17c5-6 9-2 11 2 2-4 6-8 11-2" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>'

const brand = {
  name: 'Tern',
  logo: 'tern.svg',
  colors: {
    light: { background: '#f4f7ff', text: '#0b1b3f', primary: '#1d4ed8', accent: '#1d4ed8' },
    dark: { background: '#0b1020', text: '#e8edff', primary: '#93b4ff', accent: '#93b4ff' },
  },
  links: { support: 'mailto:hilfe@tern.example', imprint: 'https://tern.example/impressum' },
  features: { sessionKeys: false, contractCalls: false },
  language: 'de',
}

async function startBranded() {
  const folder = await mkdtemp(join(tmpdir(), 'brand-'))
  await writeFile(join(folder, 'tern.svg'), logo)
  await writeFile(join(folder, 'brand.json'), JSON.stringify(brand))
  return startService({ BRAND_FILE: join(folder, 'brand.json') })
}

describeOnStage(
  'the wallet under another name, in German',
  ({ chapter, look, openMenu }) => {
    chapter('welcomes in the brand’s colours before any script runs', async (page) => {
      await page.getByRole('button', { name: 'Mit einem Passkey anlegen' }).waitFor()
      expect(await page.title()).toBe('Tern')
      const { background, lang } = await page.evaluate(() => ({
        background: getComputedStyle(document.documentElement).backgroundColor,
        lang: document.documentElement.lang,
      }))
      expect([lang, background]).toEqual(['de', 'rgb(244, 247, 255)'])
      await page.getByRole('link', { name: 'Impressum' }).waitFor()
      await look('brand-welcome')
    })

    chapter('shows home with a German number, and without what is off', async (page) => {
      await page.getByLabel('Benutzername', { exact: true }).fill('alice')
      await page.getByRole('button', { name: 'Mit einem Passkey anlegen' }).click()
      await page.getByRole('heading', { name: /^Du hast/ }).waitFor()
      await page.getByRole('button', { name: 'Testgeld holen in Local 1' }).click()
      await page.getByText('100,00').first().waitFor()
      expect(await page.getByRole('link', { name: 'Sitzungsschlüssel' }).count()).toBe(0)
      await look('brand-home')
    })

    chapter('reads a German amount, and reviews in German', async (page) => {
      await page
        .getByRole('region', { name: 'Guthaben insgesamt' })
        .getByRole('link', { name: 'Senden' })
        .first()
        .click()
      await page.getByLabel('An', { exact: true }).fill('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
      await page.getByLabel('Betrag', { exact: true }).fill('0,25')
      expect(await page.getByText('Contract-Aufruf').count()).toBe(0)
      await page.getByRole('button', { name: 'Prüfen' }).click()
      await page.getByText('Auf diesem Gerät nachgerechnet').waitFor()
      await page.getByText('0,25 ETH', { exact: true }).first().waitFor()
      await look('brand-review')
    })

    chapter('speaks English if the person wants it', async (page) => {
      await page.getByRole('button', { name: /^Konto von/ }).click()
      await page.getByLabel('Sprache').selectOption('en')
      await page.getByRole('heading', { name: 'Send', exact: true }).waitFor()
      await openMenu()
      await page.getByLabel('Language').waitFor()
    })
  },
  startBranded,
)
