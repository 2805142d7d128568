import type { Chart } from './chart.ts'
import { drawLines } from './draw-lines.ts'
import { drawStackedBars } from './draw-stacked-bars.ts'

/** @returns an SVG, identical for identical figures */
export const drawChart = (chart: Chart): string =>
  chart.kind === 'lines' ? drawLines(chart) : drawStackedBars(chart)
