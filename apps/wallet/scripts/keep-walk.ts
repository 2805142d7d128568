/**
 * Puts the screens of the latest run of the browser suite side by side, one sheet for each width and theme: what a
 * person who walks through the wallet sees (`pnpm --filter @lanyard/wallet pictures`).
 */
import { readFile, writeFile } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { findChromium, withoutChromium } from '../e2e/find-chromium.ts'

/** Names of screenshots (`look` in e2e/stage.ts), in the order in which a person meets them. */
const screens = [
  ...['combined-empty', 'home-before-deposit', 'deposit-review', 'combined', 'spend', 'spend-review'],
  ...[
    'payment-settled',
    'activity-combined',
    'take-out-waiting',
    'sessions-empty',
    'request',
    'request-review',
  ],
  ...['sessions', 'guardians-off', 'guardians-choose', 'guardians', 'recovery-banner', 'recover-ask'],
  ...[
    'guardian-request',
    'recover-running',
    'recovered-owners',
    'brand-welcome',
    'brand-home',
    'brand-review',
  ],
]
/** Width and height of the part of a screen that is shown, and its size on the sheet. */
const sizes = [
  { width: 360, height: 740, scale: 0.5, columns: 8 },
  { width: 1440, height: 900, scale: 0.23, columns: 4 },
] as const
const gap = 8
const maxBytes = 300_000

const executablePath = findChromium()
if (!executablePath) throw new Error(withoutChromium)
await using browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
await using page = await browser.newPage()
for (const { width, height, scale, columns } of sizes)
  for (const theme of ['light', 'dark']) {
    const pictures = await Promise.all(
      screens.map((name) =>
        readFile(new URL(`../artifacts/${name}-${width}-${theme}.png`, import.meta.url), 'base64'),
      ),
    )
    const [tileWidth, tileHeight] = [width * scale, height * scale]
    const rows = Math.ceil(screens.length / columns)
    await page.setViewportSize({
      width: Math.ceil(columns * (tileWidth + gap) + gap),
      height: Math.ceil(rows * (tileHeight + gap) + gap),
    })
    const tiles = pictures.map(
      (data) =>
        `<div style="overflow:hidden;height:${tileHeight}px"><img width="${tileWidth}" src="data:image/png;base64,${data}"></div>`,
    )
    await page.setContent(
      `<body style="margin:0;background:#8a958d;padding:${gap}px;display:grid;gap:${gap}px;grid-template-columns:repeat(${columns},${tileWidth}px)">${tiles.join('')}`,
      { waitUntil: 'load' },
    )
    const sheet = await page.screenshot({ type: 'jpeg', quality: 72 })
    if (sheet.length > maxBytes)
      throw new Error(`The sheet has ${sheet.length} bytes; ${maxBytes} are the limit`)
    await writeFile(new URL(`../../../docs/pictures/walk-${width}-${theme}.jpg`, import.meta.url), sheet)
  }
