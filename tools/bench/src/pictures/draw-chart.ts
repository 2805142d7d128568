import type { Chart } from './chart.ts'
import { drawLines } from './draw-lines.ts'
import { drawStackedBars } from './draw-stacked-bars.ts'

/** @returns an SVG, the same for the same figures */
export const drawChart = (chart: Chart): string =>
  chart.kind === 'lines' ? drawLines(chart) : drawStackedBars(chart)
