import type { Bench } from '../bench.ts'
import type { Comparison } from '../report/result.ts'
import { versionsOf } from '../report/versions.ts'
import { type ContestantName, measureGas } from './measure-gas.ts'
import { writeSnapshot } from './snapshot.ts'

const notAbove = { of: 'ratio', bound: 'at most', value: 1 } as const

const pairs: readonly { ours: ContestantName; peer: ContestantName; goal?: typeof notAbove }[] = [
  { ours: 'Lanyard, EOA', peer: 'permissionless, EOA', goal: notAbove },
  { ours: 'Lanyard, EOA', peer: 'SimpleAccount' },
  { ours: 'Lanyard, passkey', peer: 'permissionless, passkey', goal: notAbove },
]

/** Measures gas exactly, and records the snapshot. */
export const gasBench: Bench = {
  name: 'gas',
  async run(progress) {
    progress('five accounts, each on a chain of its own, two operations each')
    const figures = await measureGas()
    writeSnapshot(figures)
    const comparisons = pairs.flatMap(({ ours, peer, goal }) =>
      (['first', 'later'] as const).flatMap((which): Comparison[] =>
        (['gasUsed', 'actualGasUsed'] as const).map((figure) => ({
          what: `${ours.replace('Lanyard, ', '')} owner, ${which} operation, ${figure}`,
          unit: 'gas',
          ours: figures[ours][which][figure],
          peerName: peer,
          peer: figures[peer][which][figure],
          ...(goal && { goal }),
        })),
      ),
    )
    return {
      title: 'Gas',
      method:
        'One operation, alone in its bundle, pays 1 wei to an existing account. The first operation also deploys the smart account. `gasUsed` is the transaction’s gas; `actualGasUsed` is the gas that EntryPoint charges to the account. Limits and fees are the same for all, and preVerificationGas is computed by the same formula. permissionless runs with its defaults, nonce key 0, and our verifiers for the passkey (precompile first). SimpleAccount does less: one owner, no modules, no passkeys.',
      versions: versionsOf('permissionless', '@account-abstraction/contracts', 'viem', 'ox'),
      comparisons,
    }
  },
}
