import { type ContestantName, measured, measureGas } from './measure-gas.ts'
import { readSnapshot } from './snapshot.ts'

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
        const bound = Math.min(snapshot[name][which][figure], figures[peer][which][figure])
        const verdict = now > bound ? 'ROSE' : now < snapshot[name][which][figure] ? 'fell' : 'same'
        console.log(`${name}, ${which}, ${figure}: ${now} (bound ${bound}) ${verdict}`)
        if (now > bound) passes = false
      }
  if (!passes) console.error('A rise that is meant is recorded by `pnpm bench gas`.')
  return passes
}
