export { reportFigure } from './report-figure.ts'
