import type { Page } from 'playwright-core'

/** On a busy machine the window's new size, and the fonts that it needs, reach the page with one of this many frames. */
export const maxFrames = 60

/** By how many pixels a page is wider than its window, once it is drawn. A page that is too wide stays so. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(async (frames) => {
    const { documentElement: root, fonts } = document
    for (let frame = 0; frame < frames; frame++) {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      await fonts.ready
      if (root.scrollWidth <= root.clientWidth) break
    }
    return root.scrollWidth - root.clientWidth
  }, maxFrames)
