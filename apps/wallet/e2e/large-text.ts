import type { Page } from 'playwright-core'
import { maxFrames } from './overflow-of.ts'

/**
 * The parts of a page that leave its window or their card once text is twice as large (WCAG 2.2, 1.4.4 and 1.4.10).
 *
 * @param photograph - called while the text is large, if something is too wide.
 */
export async function tooWideWithLargeText(
  page: Page,
  photograph: () => Promise<unknown> = async () => {},
): Promise<readonly string[]> {
  const parts = await page.evaluate(async (frames) => {
    document.documentElement.style.fontSize = '200%'
    function tooWide(): string[] {
      const width = document.documentElement.clientWidth
      const isTooWide = document.documentElement.scrollWidth > width
      // What leaves its card is cut off or stands beside it, though the page may still have room for it. A dialog is above
      // the card that contains it.
      const edgeOf = (element: Element) =>
        (element.closest('dialog') ?? element.parentElement?.closest('section'))?.getBoundingClientRect()
          .right ?? width
      /** What only screen readers read is clipped to a pixel, and what it contains is as wide as it was. */
      const isClipped = (element: Element | null): boolean =>
        element !== null && (element.getBoundingClientRect().width <= 1 || isClipped(element.parentElement))
      const parts = [...document.querySelectorAll('body *')].filter(
        (element) =>
          element.checkVisibility() &&
          element.getBoundingClientRect().right > Math.min(width, edgeOf(element)) + 1 &&
          !isClipped(element),
      )
      if (isTooWide && parts.length === 0) return ['the page']
      return parts.slice(-3).map(({ outerHTML }) => outerHTML.slice(0, 160))
    }
    let parts: string[] = []
    for (let frame = 0; frame < frames; frame++) {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      await document.fonts.ready
      parts = tooWide()
      if (parts.length === 0) break
    }
    return parts
  }, maxFrames)
  if (parts.length > 0) await photograph()
  await page.evaluate(() => {
    document.documentElement.style.fontSize = ''
  })
  return parts
}
