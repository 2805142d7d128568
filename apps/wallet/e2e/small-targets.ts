import type { Page } from 'playwright-core'

/** Pixels (WCAG 2.2, 2.5.5). */
const least = 44

/**
 * Every control of the page that takes fewer than 44 by 44 pixels of presses, measured as a finger finds out: which element
 * is under a point. So it counts what a label or a pseudo-element adds, and not what a neighbour covers. Links inside of
 * sentences are exempt, as 2.5.8 has it. The window has to be as high as the page.
 *
 * @returns one line for each of them.
 */
export function findSmallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate((least) => {
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
      // A radio button that only screen readers see is pressed by its label.
      const [first] = labels
      const seen = own.width > 1 || !first ? own : first.getBoundingClientRect()
      // What only the keyboard brings into sight has no target until then.
      if (getComputedStyle(control).clipPath !== 'none' && !first) return []
      const takes = (x: number, y: number) => {
        const hit = document.elementFromPoint(x, y)
        return [control, ...labels].some((part) => part.contains(hit))
      }
      const x = seen.left + seen.width / 2
      const y = seen.top + seen.height / 2
      // Under an open list of suggestions there is nothing to press.
      const list = document.elementFromPoint(x, y)?.closest('[role=listbox]')
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
