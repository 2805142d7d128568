/**
 * Renders the PNG icons of the manifest from public/icon.svg with Chromium
 * (`pnpm --filter @lanyard/wallet icons`). The icons are committed, so a build needs no browser.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { findChromium, withoutChromium } from '../e2e/find-chromium.ts'

const publicFile = (name: string) => new URL(`../public/${name}`, import.meta.url)

/** The background of the drawing, and how much of the width the drawing takes. */
interface Shape {
  readonly name: string
  readonly pixels: number
  readonly isFullBleed: boolean
}

const shapes: readonly Shape[] = [
  { name: 'icon-192.png', pixels: 192, isFullBleed: false },
  { name: 'icon-512.png', pixels: 512, isFullBleed: false },
  // Platforms crop these to their own shape and keep the inner 80 % (W3C Web App Manifest, icon masks).
  { name: 'icon-maskable-512.png', pixels: 512, isFullBleed: true },
  { name: 'icon-180.png', pixels: 180, isFullBleed: true },
]

const executablePath = findChromium()
if (!executablePath) throw new Error(withoutChromium)
const svg = await readFile(publicFile('icon.svg'), 'utf8')
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  const page = await browser.newPage()
  for (const { name, pixels, isFullBleed } of shapes) {
    await page.setViewportSize({ width: pixels, height: pixels })
    await page.setContent(`<style>
      html { background: ${isFullBleed ? '#14211a' : 'transparent'} }
      body { margin: 0 }
      svg { display: block; width: ${pixels}px; ${isFullBleed ? 'scale: 0.86' : ''} }
    </style>${svg}`)
    await writeFile(publicFile(name), await page.screenshot({ omitBackground: true }))
  }
} finally {
  await browser.close()
}
