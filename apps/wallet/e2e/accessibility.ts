import { setTimeout as delay } from 'node:timers/promises'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Tags or names of axe's rules: everything, or only what a theme changes. */
const groups = {
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  colors: ['color-contrast', 'link-in-text-block'],
} as const
type Rules = keyof typeof groups

/** Runs inside the page, after axe's own source. */
const audit = (rules: Rules) => `axe.run(document, {
  resultTypes: ['violations'],
  runOnly: ${JSON.stringify(groups[rules])},
})`

/**
 * Colour changes are transitions, and contrast in the middle of one belongs to neither state. Loading
 * spinners never finish. This polls instead of awaiting `finished`, because Chromium sometimes never settles
 * that promise for a transition that another one replaced. It gives up after five seconds, because a page
 * that Chromium does not draw has animations that never end.
 */
const settled = `(async () => {
  const isEnding = ({ playState, effect }) =>
    playState === 'running' && effect.getComputedTiming().endTime < Infinity
  const deadline = performance.now() + 5_000
  do await new Promise((later) => setTimeout(later, 40))
  while (document.getAnimations().some(isEnding) && performance.now() < deadline)
})()`

/** Waits until nothing on the page moves or changes its colour. */
export const settle = (page: Page): Promise<unknown> => page.evaluate(settled)

/** Number of attempts, and the milliseconds between them: an audit during a re-render sees a mixed state. */
const looks = 4
const pause = 250

/**
 * Reports every violation that axe-core finds, including minor ones.
 *
 * @returns one line for each remaining violation.
 */
export async function findBarriers(page: Page, rules: Rules = 'all'): Promise<readonly string[]> {
  let found = await lookOnce(page, rules)
  for (let look = 1; look < looks && found.length > 0; look++) {
    await delay(pause)
    found = await lookOnce(page, rules)
  }
  return found
}

async function lookOnce(page: Page, rules: Rules): Promise<readonly string[]> {
  await page.evaluate(settled)
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(axe.source)
  // The expression is a string, so TypeScript does not know the type of the result.
  const { violations } = (await page.evaluate(audit(rules))) as AxeResults
  return violations.map(({ id, impact, nodes }) => {
    const places = nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)
    return `${id} (${impact}): ${places.join(' | ')}`
  })
}
