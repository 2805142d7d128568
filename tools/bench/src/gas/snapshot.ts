import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ContestantName, type GasFigures, measured, measureGas } from './measure-gas.ts'

const path = fileURLToPath(new URL('../../gas.snapshot.json', import.meta.url))

/** The figures of the last recorded run. */
// written below
const readSnapshot = (): GasFigures => JSON.parse(readFileSync(path, 'utf8')) as GasFigures

export const writeSnapshot = (figures: GasFigures): void =>
  writeFileSync(path, `${JSON.stringify(figures, null, 2)}\n`)

/** With the peer that has the same account, if one has. */
const ours: readonly (readonly [ContestantName, ContestantName])[] = [
  ['Lanyard, EOA', 'permissionless, EOA'],
  ['Lanyard, passkey', 'permissionless, passkey'],
  ['Lanyard, EIP-7702', 'Lanyard, EIP-7702'],
]

/**
 * Prints our figures. Returns false if one is above the snapshot, or above permissionless' figure for the
 * same Safe.
 */
export async function checkGas(): Promise<boolean> {
  const [figures, snapshot] = [await measureGas(), readSnapshot()]
  let passes = true
  for (const [name, peer] of ours)
    for (const which of measured)
      for (const figure of ['gasUsed', 'actualGasUsed'] as const) {
        const now = figures[name][which][figure]
        const limit = Math.min(snapshot[name][which][figure], figures[peer][which][figure])
        const verdict = now > limit ? 'ROSE' : now < snapshot[name][which][figure] ? 'fell' : 'same'
        console.log(`${name}, ${which}, ${figure}: ${now} (bound ${limit}) ${verdict}`)
        if (now > limit) passes = false
      }
  if (!passes) console.error('A rise that is meant is recorded by `pnpm bench gas`.')
  return passes
}
