import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Chart } from './chart.ts'
import { drawChart } from './draw-chart.ts'

const folder = fileURLToPath(new URL('../../../../docs/pictures/', import.meta.url))

/** Draws charts into docs/pictures, and overwrites those of earlier runs. */
export function writePictures(charts: readonly Chart[]): void {
  for (const chart of charts) writeFileSync(`${folder}${chart.file}.svg`, drawChart(chart))
}
