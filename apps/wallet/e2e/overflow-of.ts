import type { Page } from 'playwright-core'

/**
 * By how many pixels a page is wider than its window. It is measured after two frames, because the window's new size
 * reaches the page with one of them.
 */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const measure = () => {
          const { scrollWidth, clientWidth } = document.documentElement
          resolve(scrollWidth - clientWidth)
        }
        requestAnimationFrame(() => requestAnimationFrame(measure))
      }),
  )
