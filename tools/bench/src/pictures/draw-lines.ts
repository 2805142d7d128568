import type { LineChart } from './chart.ts'
import { figure, ticksTo } from './figure.ts'
import { element, svg, text } from './svg.ts'

const width = 760
const left = 190
const right = 724
const top = 60
const bottom = 320
const rowHeight = 22

/**
 * Draws lines over a logarithmic axis, with a table of the values below. The table's headings are the legend.
 */
export function drawLines({ title, unit, axis, places, lines }: LineChart): string {
  const ticks = ticksTo(Math.max(...lines.flatMap(({ values }) => values)))
  const scale = (bottom - top) / (ticks.at(-1) ?? 1)
  const [first = 1, last = 2] = [places[0], places.at(-1)]
  const xOf = (place: number) =>
    left + 16 + ((right - left - 16) * Math.log(place / first)) / (Math.log(last / first) || 1)
  const yOf = (value: number) => bottom - value * scale

  const grid = ticks.flatMap((tick) => [
    element('line', { class: 'rule', x1: left, x2: right, y1: yOf(tick), y2: yOf(tick) }),
    text(left - 8, yOf(tick) + 4, figure(tick), { class: 'number soft' }),
  ])
  const axisLabels = [
    text(left - 8, top - 14, unit, { class: 'number soft' }),
    text(16, bottom + 20, axis, { class: 'strong' }),
    ...places.map((place) =>
      text(xOf(place), bottom + 20, figure(place), { class: 'strong', 'text-anchor': 'middle' }),
    ),
  ]
  const drawn = lines.flatMap(({ name, values }, index) => {
    const points = places.map((place, at) => [xOf(place), yOf(values[at] ?? 0)] as const)
    const y = bottom + 20 + (index + 1) * rowHeight
    return [
      element('polyline', {
        class: `line line${index}`,
        points: points.map(([x, at]) => `${x.toFixed(1)},${at.toFixed(1)}`).join(' '),
      }),
      ...points.map(([cx, cy]) => element('circle', { class: `dot${index}`, cx, cy, r: 3.5 })),
      element('line', { class: `line line${index}`, x1: 16, x2: 40, y1: y - 4, y2: y - 4 }),
      text(48, y, name),
      ...places.map((place, at) => text(xOf(place), y, figure(values[at] ?? 0), { 'text-anchor': 'middle' })),
    ]
  })
  return svg({
    width,
    height: bottom + 20 + lines.length * rowHeight + 20,
    title,
    description: lines
      .map(({ name, values }) => {
        const shown = places.map((place, at) => `${figure(values[at] ?? 0)} at ${figure(place)}`)
        return `${name}: ${shown.join(', ')} (${unit}; ${axis}).`
      })
      .join(' '),
    content: [...grid, ...axisLabels, ...drawn],
  })
}
