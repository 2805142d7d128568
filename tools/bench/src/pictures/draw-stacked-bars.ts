import type { StackedBars } from './chart.ts'
import { figure, ticksTo } from './figure.ts'
import { element, svg, text } from './svg.ts'

const width = 760
const left = 156
const columnWidth = 66
const rowHeight = 22
const barHeight = 14
const groupGap = 14
const top = 76

/**
 * Draws bars from left to right, with a table of their parts and sums beside them. The table's headings are
 * the legend.
 */
export function drawStackedBars({ title, unit, parts, groups }: StackedBars): string {
  const columns = parts.length + 1
  const right = width - columns * columnWidth - 16
  const sums = groups.flatMap(({ bars }) => bars.map(({ values }) => sumOf(values)))
  const ticks = ticksTo(Math.max(...sums))
  const scale = (right - left) / (ticks.at(-1) ?? 1)
  const endOfColumn = (column: number) => right + (column + 1) * columnWidth + 8

  const rows: string[] = []
  let y = top
  for (const { name, bars } of groups) {
    rows.push(text(16, y, name, { class: 'strong' }))
    for (const bar of bars) {
      y += rowHeight
      rows.push(text(16, y, bar.name, { class: 'soft' }))
      let x = left
      for (const [part, value] of bar.values.entries()) {
        rows.push(text(endOfColumn(part), y, value === undefined ? '–' : figure(value), { class: 'number' }))
        if (!value) continue
        rows.push(
          element('rect', {
            class: `part part${part}`,
            x,
            y: y - barHeight + 3,
            width: value * scale,
            height: barHeight,
          }),
        )
        x += value * scale
      }
      rows.push(text(endOfColumn(parts.length), y, figure(sumOf(bar.values)), { class: 'number strong' }))
    }
    y += rowHeight + groupGap
  }
  const bottom = y - groupGap - rowHeight + 12

  const grid = ticks.flatMap((tick) => {
    const x = left + tick * scale
    return [
      element('line', { class: 'rule', x1: x, x2: x, y1: top - 12, y2: bottom }),
      text(x, bottom + 16, figure(tick), { class: 'soft', 'text-anchor': 'middle' }),
    ]
  })
  const legend = [...parts, 'sum'].flatMap((part, index) => {
    const end = endOfColumn(index)
    const heading = text(end, 54, part, { class: 'number soft' })
    if (index === parts.length) return [heading]
    return [element('rect', { class: `part${index}`, x: end - 10, y: 59, width: 10, height: 4 }), heading]
  })
  return svg({
    width,
    height: bottom + 46,
    title,
    description: groups
      .flatMap(({ name, bars }) =>
        bars.map((bar) => {
          const shown = parts.flatMap((part, index) => {
            const value = bar.values[index]
            return value === undefined ? [] : [`${part} ${figure(value)}`]
          })
          return `${name}, ${bar.name}: ${figure(sumOf(bar.values))} ${unit} (${shown.join(', ')}).`
        }),
      )
      .join(' '),
    content: [
      ...grid,
      text((left + right) / 2, bottom + 34, unit, { class: 'soft', 'text-anchor': 'middle' }),
      ...legend,
      ...rows,
    ],
  })
}

const sumOf = (values: readonly (number | undefined)[]) =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
