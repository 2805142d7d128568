import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { GasFigures } from './measure-gas.ts'

const path = fileURLToPath(new URL('../../gas.snapshot.json', import.meta.url))

/** The figures of the last recorded run. */
// written below
export const readSnapshot = (): GasFigures => JSON.parse(readFileSync(path, 'utf8')) as GasFigures

export const writeSnapshot = (figures: GasFigures): void =>
  writeFileSync(path, `${JSON.stringify(figures, null, 2)}\n`)
