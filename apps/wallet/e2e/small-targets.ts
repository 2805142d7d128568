import type { Page } from 'playwright-core'

/** Pixels (WCAG 2.2, 2.5.5). */
const least = 44

/**
 * Finds every control of the page whose press target is smaller than 44 by 44 pixels. It tests which element
 * is under each point, so it includes area that a label or pseudo-element adds, and excludes area that a
 * neighbour covers. Links inside sentences are exempt, as in 2.5.8.
 *
 * @returns one line for each small target; undefined if the page is higher than the window, so that nothing is
 * under some points
 */
export function findSmallTargets(page: Page): Promise<readonly string[] | undefined> {
  return page.evaluate((least) => {
    if (document.documentElement.scrollHeight > window.innerHeight) return undefined
    const controls = 'a[href], button, input, select, textarea, summary, [role=option]'
    return [...document.querySelectorAll<HTMLElement>(controls)].flatMap((control) => {
      if (!control.checkVisibility({ visibilityProperty: true })) return []
      const siblings = [...(control.parentElement?.childNodes ?? [])]
      const isInSentence =
        control.matches('a, button') &&
        siblings.some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
      if (isInSentence) return []

      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : []
      const own = control.getBoundingClientRect()
      // A radio button that is visible only to screen readers is pressed through its label.
      const [first] = labels
      const seen = own.width > 1 || !first ? own : first.getBoundingClientRect()
      // A control that only keyboard focus makes visible has no target before that.
      if (getComputedStyle(control).clipPath !== 'none' && !first) return []
      const takes = (x: number, y: number) => {
        const hit = document.elementFromPoint(x, y)
        return [control, ...labels].some((part) => part.contains(hit))
      }
      const x = seen.left + seen.width / 2
      const y = seen.top + seen.height / 2
      // Controls under an open list of suggestions, menu or dialog cannot be pressed.
      const list = document.elementFromPoint(x, y)?.closest('[role=listbox], [popover], dialog')
      if (list && !list.contains(control)) return []
      const reach = (dx: number, dy: number) => {
        let pixels = 0
        while (pixels < least && takes(x + dx * (pixels + 0.5), y + dy * (pixels + 0.5))) pixels++
        return pixels
      }
      const width = reach(1, 0) + reach(-1, 0)
      const height = reach(0, 1) + reach(0, -1)
      const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? ''
      return width >= least && height >= least
        ? []
        : [`${control.tagName.toLowerCase()} “${name.slice(0, 40)}” takes ${width} × ${height}`]
    })
  }, least)
}
