import { appendFileSync } from 'node:fs'

/** One figure counted by a suite: a line of JSON in the file that `LANYARD_FIGURES` names. */
export interface Figure {
  /** Number of the promise in promises.ts. */
  readonly promise: number
  /** The name of the figure: "kills survived", "fuzz cases run". */
  readonly name: string
  /** A count, or text such as "1.8 s" if the figure has a unit. */
  readonly value: number | string
}

/**
 * Prints a suite's figure for a promise, and records it if the table of promises is being generated.
 *
 * @example
 * reportFigure(4, 'requests under fault', 1200)
 * // promise 4: requests under fault: 1200
 */
export function reportFigure(promise: number, name: string, value: number | string): void {
  process.stdout.write(`promise ${promise}: ${name}: ${value}\n`)
  const file = process.env.LANYARD_FIGURES
  const figure: Figure = { promise, name, value }
  if (file) appendFileSync(file, `${JSON.stringify(figure)}\n`)
}
