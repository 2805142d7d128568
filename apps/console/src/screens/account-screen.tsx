import { Card, CopyButton, Fact, Notice, Screen, Tag } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { Outputs } from '../api/outputs.ts'
import { trpc } from '../api/trpc.ts'
import { Ago } from '../ui/ago.tsx'
import { coins, tokens } from '../ui/amounts.ts'
import { Loaded } from '../ui/loaded.tsx'
import { OperationTable } from '../ui/operation-table.tsx'
import { Section } from '../ui/section.tsx'
import { ShortHash } from '../ui/short-hash.tsx'
import { Table } from '../ui/table.tsx'
import { useNetworkName } from '../ui/use-networks.ts'

type Account = Outputs['accounts']['detail']

export function AccountScreen() {
  const { address = '' } = useParams()
  const account = useQuery({
    queryKey: ['account', address],
    queryFn: () => trpc.accounts.detail.query({ address }),
  })
  const operations = useQuery({
    queryKey: ['operations', address],
    queryFn: () => trpc.operations.search.query({ query: address }),
  })
  const isUnknown = account.error !== null && account.data === undefined
  return (
    <Screen title="Account">
      <div className="flex flex-wrap items-center gap-3">
        <code className="wrap-anywhere font-mono text-sm">{address}</code>
        <CopyButton text={address} label="Copy the address" />
      </div>
      <Loaded query={account} label="Loading the account">
        {(data) => <Parts data={data} />}
      </Loaded>
      {!isUnknown && (
        <>
          <OnChain address={address} />
          <Section title="Operations">
            <Loaded query={operations} label="Loading operations">
              {(data) => <OperationTable operations={data.operations} empty="It has signed nothing yet." />}
            </Loaded>
          </Section>
        </>
      )}
    </Screen>
  )
}

const kinds = { eoa: 'EOA', passkey: 'Passkey', contract: 'Contract' } as const

/** Owners and sessions are on chain: a network that does not answer must not hold up the rest. */
function OnChain({ address }: { address: string }) {
  const nameOf = useNetworkName()
  const chain = useQuery({
    queryKey: ['account', address, 'chain'],
    queryFn: () => trpc.accounts.chain.query({ address }),
  })
  return (
    <Loaded query={chain} label="Loading owners and sessions">
      {({ networks }) => {
        const down = networks.filter(({ status }) => status === 'down')
        const up = networks.flatMap((one) => (one.status === 'up' ? [one] : []))
        const owners = up.flatMap(({ network, deployed, owners: all }) =>
          all.map((owner) => ({ network, deployed, ...owner })),
        )
        const sessions = up.flatMap(({ network, sessions: all }) =>
          all.map((session) => ({ network, ...session })),
        )
        return (
          <>
            {down.map(({ network }) => (
              <Notice key={network} tone="warning" title={`${nameOf(network)} does not answer.`}>
                Its owners and sessions are not shown.
              </Notice>
            ))}
            <Section title="Owners">
              <Table
                caption="Owners by network"
                rows={owners}
                keyOf={({ network, address: owner }) => `${network} ${owner}`}
                empty="No network shows an owner."
                columns={[
                  { title: 'Owner', cell: ({ address: owner }) => <ShortHash hash={owner} /> },
                  {
                    title: 'Kind',
                    cell: ({ kind, label }) => (label === null ? kinds[kind] : `${kinds[kind]}: ${label}`),
                  },
                  { title: 'Network', cell: ({ network }) => nameOf(network) },
                  {
                    title: 'Account',
                    cell: ({ deployed }) => (deployed ? 'deployed' : 'not deployed: its first owner'),
                  },
                ]}
              />
            </Section>
            <Section title="Session keys">
              <Table
                caption="Session keys by network"
                rows={sessions}
                keyOf={({ network, keyId }) => `${network} ${keyId}`}
                empty="It has no session key."
                columns={[
                  { title: 'Key', cell: ({ keyId }) => <ShortHash hash={keyId} /> },
                  { title: 'Network', cell: ({ network }) => nameOf(network) },
                  { title: 'State', cell: ({ state }) => <Tag>{state}</Tag> },
                  { title: 'May', cell: ({ description }) => description.join(' ') },
                  { title: 'Operations left', isNumber: true, cell: ({ operationsLeft }) => operationsLeft },
                  { title: 'Until', cell: ({ until }) => <Ago at={until} /> },
                ]}
              />
            </Section>
          </>
        )
      }}
    </Loaded>
  )
}

/** Only the command line reads the ledgers of users. */
const ledgerCommand = (address: string) => `pnpm lanyard ledger export --account ${address}`

function Parts({ data }: { data: Account }) {
  const nameOf = useNetworkName()
  return (
    <>
      {data.suspensions.map(({ network, reason, until }) => (
        <Notice key={network} tone="warning" title={`No sponsorship on ${nameOf(network)}`}>
          {reason} Until <Ago at={until} />.
        </Notice>
      ))}
      {data.owed.map(({ network, wei }) => (
        <Notice key={network} tone="warning" title={`Owes gas on ${nameOf(network)}`}>
          {coins(wei)}: its next build repays it.
        </Notice>
      ))}
      <div className="grid gap-5 lg:grid-cols-2">
        <Section title="User">
          <Card className="p-4">
            <dl className="grid gap-2 text-sm">
              <Fact term="Name">{data.username}</Fact>
              {data.externalId !== null && <Fact term="External id">{data.externalId}</Fact>}
              <Fact term="First owner">
                {data.firstOwner === null ? (
                  'a passkey'
                ) : data.firstOwner === data.address ? (
                  'itself (EIP-7702)'
                ) : (
                  <ShortHash hash={data.firstOwner} />
                )}
              </Fact>
              <Fact term="Since">
                <Ago at={data.createdAt} />
              </Fact>
              <Fact term="Ledger">
                <span className="inline-flex flex-wrap items-center gap-2">
                  <code className="wrap-anywhere font-mono">{ledgerCommand(data.address)}</code>
                  <CopyButton text={ledgerCommand(data.address)} label="Copy the command" />
                </span>
              </Fact>
            </dl>
          </Card>
        </Section>
        <Section title="Passkeys">
          <Table
            caption="Passkeys"
            rows={data.passkeys}
            keyOf={({ createdAt, label }) => `${createdAt} ${label}`}
            empty="It has no passkey: an EOA signs."
            columns={[
              {
                title: 'Passkey',
                cell: ({ label, firstOwner }) => (
                  <>
                    {label} {firstOwner && <Tag>First owner</Tag>}
                  </>
                ),
              },
              { title: 'Backed up', cell: ({ backedUp }) => (backedUp ? 'yes' : 'no') },
              { title: 'Last used', cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
            ]}
          />
        </Section>
        <Section title="Deposits">
          <Table
            caption="Deposits in the smart balance"
            rows={data.deposits}
            keyOf={({ network }) => String(network)}
            empty="It has no deposit in the smart balance."
            columns={[
              { title: 'Network', cell: ({ network }) => nameOf(network) },
              { title: 'Balance', isNumber: true, cell: ({ balance }) => tokens(balance) },
              { title: 'Leaving', isNumber: true, cell: ({ exiting }) => tokens(exiting) },
            ]}
          />
        </Section>
        <Section title="Networks">
          <Table
            caption={data.hasMore ? 'The last 1,000 operations by network' : 'Operations by network'}
            rows={data.networks}
            keyOf={({ network }) => String(network)}
            empty="It has signed nothing yet."
            columns={[
              { title: 'Network', cell: ({ network }) => nameOf(network) },
              { title: 'Operations', isNumber: true, cell: ({ operations }) => operations },
              { title: 'Last', isNumber: true, cell: ({ lastAt }) => <Ago at={lastAt} /> },
            ]}
          />
        </Section>
      </div>
      {groupProblems(data.guardianProblems).map(({ guardian, problem, networks }) => (
        <Notice
          key={`${guardian} ${problem}`}
          tone="warning"
          title={`A guardian cannot sign on ${networks.map(nameOf).join(', ')}`}
        >
          <ShortHash hash={guardian} />: {problem}, as of the last daily check.
        </Notice>
      ))}
      {data.protection.length > 0 && (
        <Section title="Protection">
          <Table
            caption="What owners and guardians did"
            rows={data.protection}
            keyOf={({ id }) => id}
            empty=""
            columns={[
              { title: 'What', cell: ({ what }) => what },
              {
                title: 'By',
                cell: ({ guardian }) => (guardian === null ? '' : <ShortHash hash={guardian} />),
              },
              { title: 'Done on', cell: ({ networks }) => networks.map(nameOf).join(', ') },
              {
                title: 'Not on',
                cell: ({ waiting }) =>
                  waiting
                    .map(({ network, reason }) =>
                      reason ? `${nameOf(network)}: ${reason}` : nameOf(network),
                    )
                    .join(', '),
              },
              { title: 'When', cell: ({ at }) => <Ago at={at} /> },
            ]}
          />
        </Section>
      )}
      {data.orders.length > 0 && (
        <Section title="Orders">
          <Table
            caption="Orders"
            rows={data.orders}
            keyOf={({ id }) => id}
            empty=""
            columns={[
              { title: 'Order', cell: ({ id }) => <ShortHash hash={id} to={`/operations?q=${id}`} /> },
              { title: 'To', cell: ({ network }) => nameOf(network) },
              { title: 'State', cell: ({ state }) => <Tag>{state}</Tag> },
              { title: 'Amount', isNumber: true, cell: ({ amount }) => tokens(amount) },
              { title: 'Reserved', cell: ({ at }) => <Ago at={at} /> },
            ]}
          />
        </Section>
      )}
    </>
  )
}

/** A guardian who cannot sign anywhere is one notice, not one for each network. */
function groupProblems<Problem extends { guardian: string; network: number; problem: string }>(
  problems: readonly Problem[],
) {
  const groups = Map.groupBy(problems, ({ guardian, problem }) => `${guardian} ${problem}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    return first ? [{ ...first, networks: group.map(({ network }) => network) }] : []
  })
}
