import { appendFileSync } from 'node:fs'

/** One figure that a suite counted; a line of JSON in the file that `LANYARD_FIGURES` names. */
export interface Figure {
  /** Number of the promise in promises.ts. */
  readonly promise: number
  /** What was counted, in words: "kills survived", "fuzz cases run". */
  readonly name: string
  /** Counts and, where a unit belongs to it, text such as "1.8 s". */
  readonly value: number | string
}

/**
 * Prints what a suite counted for a promise, and keeps it where the table of promises is being made.
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
