import type { Outputs } from '../api/outputs.ts'
import { Ago } from './ago.tsx'
import { coins } from './amounts.ts'
import { OperationState } from './operation-state.tsx'
import { ShortHash } from './short-hash.tsx'
import { Table } from './table.tsx'
import { useNetworkName } from './use-networks.ts'

type Operation = Outputs['operations']['search']['operations'][number]

export function OperationTable({ operations, empty }: { operations: readonly Operation[]; empty: string }) {
  const nameOf = useNetworkName()
  return (
    <Table
      caption="Operations"
      rows={operations}
      keyOf={({ hash }) => hash}
      empty={empty}
      columns={[
        { title: 'Operation', cell: ({ hash }) => <ShortHash hash={hash} to={`/operations/${hash}`} /> },
        {
          title: 'Account',
          cell: ({ account }) => <ShortHash hash={account} to={`/accounts/${account}`} />,
        },
        { title: 'Network', cell: ({ network }) => nameOf(network) },
        { title: 'State', cell: (operation) => <OperationState {...operation} /> },
        { title: 'Signed', cell: ({ signedAt }) => <Ago at={signedAt} /> },
        {
          title: 'Gas',
          isNumber: true,
          cell: ({ gasCost }) => (gasCost === null ? '–' : coins(gasCost)),
        },
        { title: 'Reason', cell: ({ reason }) => reason?.code ?? '–' },
      ]}
    />
  )
}
