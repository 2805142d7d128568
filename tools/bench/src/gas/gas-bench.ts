import type { Bench } from '../bench.ts'
import { versionsOf } from '../report/machine.ts'
import type { Comparison } from '../report/result.ts'
import { type ContestantName, measured, measureGas } from './measure-gas.ts'
import { measurePayers } from './measure-payers.ts'
import { writeSnapshot } from './snapshot.ts'

const notAbove = { of: 'ratio', bound: 'at most', value: 1 } as const

const pairs: readonly { ours: ContestantName; peer: ContestantName; goal?: typeof notAbove }[] = [
  { ours: 'Lanyard, EOA', peer: 'permissionless, EOA', goal: notAbove },
  { ours: 'Lanyard, EOA', peer: 'SimpleAccount' },
  { ours: 'Lanyard, passkey', peer: 'permissionless, passkey', goal: notAbove },
  { ours: 'Lanyard, EIP-7702', peer: 'SimpleAccount' },
  { ours: 'Lanyard, EIP-7702', peer: 'Lanyard, EOA' },
]

/** Gas of a later native transfer by Openfort's EIP-7702 account, as Openfort publishes it: not measured here. */
const openfort = 99_383

/**
 * Gas of an ERC-20 transfer by who pays, as Ithaca publishes it for its account and for a Safe with Safe4337Module behind the
 * paymaster of another: not measured here.
 */
const published = {
  sponsor: { ithaca: 128_195, safe: 197_561 },
  token: { ithaca: 128_684, safe: 221_464 },
} as const

const payerText = { sponsor: 'sponsored', token: 'fee in the token' } as const

async function comparePayers(): Promise<readonly Comparison[]> {
  const { safe, delegated } = await measurePayers()
  const compare = (who: string, payer: 'sponsor' | 'token', ours: number, own: number): Comparison[] => {
    const what = `${who}, ERC-20 to a newcomer, ${payerText[payer]}, gasUsed`
    return [
      { what, unit: 'gas', ours, peerName: 'Safe4337, as Ithaca publishes it', peer: published[payer].safe },
      { what, unit: 'gas', ours, peerName: 'Ithaca, as published', peer: published[payer].ithaca },
      { what, unit: 'gas', ours, peerName: 'the account pays', peer: own },
    ]
  }
  return [
    ...compare('EOA owner', 'sponsor', safe.sponsor.gasUsed, safe.account.gasUsed),
    ...compare('EOA owner', 'token', safe.token.gasUsed, safe.account.gasUsed),
    ...compare('EIP-7702', 'token', delegated.token.gasUsed, delegated.account.gasUsed),
  ]
}

/** Measures gas exactly, and records the snapshot. */
export const gasBench: Bench = {
  name: 'gas',
  async run(progress) {
    progress('six accounts, each on a chain of its own, four operations each')
    const figures = await measureGas()
    writeSnapshot(figures)
    progress('two accounts, whose gas others or their tokens pay')
    const byPayer = await comparePayers()
    const comparisons = pairs.flatMap(({ ours, peer, goal }) =>
      measured.flatMap((which): Comparison[] =>
        (['gasUsed', 'actualGasUsed'] as const).map((figure) => ({
          what: `${ours.replace('Lanyard, ', '')}${ours === 'Lanyard, EIP-7702' ? '' : ' owner'}, ${which} operation, ${figure}`,
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
        'One operation, alone in its bundle, pays 1 wei to an existing account, or (ERC-20) one unit of a token to an account that has some. The first operation also deploys the smart account, or (EIP-7702) delegates the EOA. In both, the account transfers what EntryPoint asks for, because what is left there from earlier does not suffice (a deposit that suffices saves the transfer: 8,700 gas of the EIP-7702 kind, 12,000 of a Safe). `gasUsed` is the transaction’s gas; `actualGasUsed` is the gas that EntryPoint charges to the account. Limits and fees are the same for all, and preVerificationGas is computed by the same formula. permissionless runs with its defaults, nonce key 0, and our verifiers for the passkey (precompile first). SimpleAccount and Simple7702Account (the EIP-7702 kind, on EntryPoint v0.8) do less: one owner, no modules, no passkeys. Openfort’s figure is its own. The last rows are one ERC-20 transfer of a deployed account to an address that has none of the token, by who pays: SmartBalance sponsors, or TokenPaymaster takes the token, approval in the same operation included. Ithaca’s figures are its own, for its account and for a Safe.',
      versions: versionsOf('permissionless', '@account-abstraction/contracts', 'viem', 'ox'),
      comparisons: [
        ...comparisons,
        {
          what: 'EIP-7702, later operation, gasUsed',
          unit: 'gas',
          ours: figures['Lanyard, EIP-7702'].later.gasUsed,
          peerName: 'Openfort 7702, as published',
          peer: openfort,
        },
        ...byPayer,
      ],
    }
  },
}
