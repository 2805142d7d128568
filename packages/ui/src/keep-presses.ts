/** Pixels that a finger may move during a press. Dragging away from a button cancels it (WCAG 2.2, 2.5.2). */
const slack = 8

const distance = (from: MouseEvent, to: MouseEvent) =>
  Math.hypot(from.clientX - to.clientX, from.clientY - to.clientY)

/**
 * Clicks the button that was pressed although the page moved it before the release, because an answer arrived above it.
 * The browser then clicks what contains both places (UI Events, `click`), so the press would have no effect.
 */
export function keepPresses(page: Document): void {
  let down: PointerEvent | undefined
  page.addEventListener(
    'pointerdown',
    (event) => {
      down = event
    },
    { capture: true },
  )
  page.addEventListener(
    'click',
    (event) => {
      const pressed = down?.target instanceof Element ? down.target.closest('button, a[href], summary') : null
      // A keyboard's click follows no press, and neither does the one below.
      if (!down || !(pressed instanceof HTMLElement) || !event.isTrusted || event.detail === 0) return
      const isStill = distance(down, event) <= slack
      down = undefined
      if (isStill && event.target instanceof Node && !pressed.contains(event.target)) pressed.click()
    },
    { capture: true },
  )
}
