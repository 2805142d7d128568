import { setTimeout as delay } from 'node:timers/promises'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** What runs inside the page, after axe's own source. */
const audit = `axe.run(document, {
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
})`

/**
 * A change of colours is a transition: in the middle of one, contrast is neither the old nor the new. What turns while
 * something loads has no end. Frames are counted and `finished` is not asked: Chromium leaves that of a transition which
 * another took the place of pending forever now and then.
 */
const settled = `(async () => {
  const frame = () => new Promise((painted) => requestAnimationFrame(painted))
  const isEnding = ({ playState, effect }) =>
    playState === 'running' && effect.getComputedTiming().endTime < Infinity
  await frame()
  do await frame()
  while (document.getAnimations().some(isEnding))
})()`

/** Attempts, and the milliseconds between them: an audit during a re-render sees half of each state. */
const looks = 4
const pause = 250

/**
 * What stands in the way of people who see, hear or point otherwise, by axe-core: whatever it calls a violation, however
 * minor.
 *
 * @returns one line for each violation that stays.
 */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  let found = await lookOnce(page)
  for (let look = 1; look < looks && found.length > 0; look++) {
    await delay(pause)
    found = await lookOnce(page)
  }
  return found
}

async function lookOnce(page: Page): Promise<readonly string[]> {
  await page.evaluate(settled)
  await page.evaluate(axe.source)
  // The expression is a string, so its type is lost on the way.
  const { violations } = (await page.evaluate(audit)) as AxeResults
  return violations.map(({ id, impact, nodes }) => {
    const places = nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)
    return `${id} (${impact}): ${places.join(' | ')}`
  })
}
