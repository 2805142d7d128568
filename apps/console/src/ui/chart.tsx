import { useEffect, useRef } from 'react'
import uPlot from 'uplot'

/** Names of the theme's colours that a line may have. */
type Colour = 'accent' | 'danger' | 'cord' | 'muted'

interface ChartProps {
  /** What it shows, for screen readers: with the figures that matter. */
  readonly label: string
  /** Unix seconds. */
  readonly times: readonly number[]
  readonly series: readonly {
    readonly name: string
    readonly colour: Colour
    readonly values: readonly (number | null)[]
  }[]
  readonly format: (value: number) => string
}

/** Pixels. */
const height = 160

/**
 * A colour of the theme as the canvas needs it: the browser resolves `light-dark()`. A new element each time, because a
 * colour that changes may be in a transition.
 */
function resolveColour(place: HTMLElement, name: Colour | 'line'): string {
  const probe = document.createElement('span')
  probe.style.color = `var(--color-${name})`
  place.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Lines over time. It is drawn again when the theme or the width changes. */
export function Chart({ label, times, series, format }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const draw = () => {
      const axis = {
        stroke: resolveColour(element, 'muted'),
        grid: { stroke: resolveColour(element, 'line'), width: 1 },
        ticks: { show: false },
        font: '12px system-ui',
      }
      return new uPlot(
        {
          width: Math.max(200, element.clientWidth),
          height,
          cursor: { show: false },
          legend: { show: false },
          scales: { y: { range: (_plot, _least, limit) => [0, limit > 0 ? limit * 1.1 : 1] } },
          axes: [
            { ...axis, space: 70 },
            { ...axis, size: 56, values: (_plot, ticks) => ticks.map(format) },
          ],
          series: [
            {},
            ...series.map(({ name, colour, values }) => {
              const stroke = resolveColour(element, colour)
              // A minute without neighbours makes no line.
              const points = { show: values.includes(null), size: 5, fill: stroke }
              return { label: name, stroke, width: 2, points, spanGaps: true }
            }),
          ],
        },
        [[...times], ...series.map(({ values }) => [...values])],
        element,
      )
    }
    let plot = draw()
    const redraw = () => {
      plot.destroy()
      plot = draw()
    }
    let width = element.clientWidth
    const resized = new ResizeObserver(() => {
      if (element.clientWidth === width) return
      width = element.clientWidth
      redraw()
    })
    resized.observe(element)
    const themed = new MutationObserver(redraw)
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', redraw)
    return () => {
      resized.disconnect()
      themed.disconnect()
      system.removeEventListener('change', redraw)
      plot.destroy()
    }
  }, [times, series, format])
  return (
    <div className="grid min-w-0 gap-2">
      <div ref={place} role="img" aria-label={label} className="min-w-0 overflow-hidden" />
      {series.length > 1 && (
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
          {series.map(({ name, colour }) => (
            <li key={name} className="flex items-center gap-1.5">
              <svg viewBox="0 0 12 4" className="w-3" aria-hidden="true">
                <path d="M0 2h12" strokeWidth="3" style={{ stroke: `var(--color-${colour})` }} />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
