import { Card, Notice, Screen, Tag } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { usePace } from '../api/changes.ts'
import type { Outputs } from '../api/outputs.ts'
import { trpc } from '../api/trpc.ts'
import { Ago } from '../ui/ago.tsx'
import { coins, gwei, seconds, tokens } from '../ui/amounts.ts'
import { Chart } from '../ui/chart.tsx'
import { Figure } from '../ui/figure.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Section } from '../ui/section.tsx'
import { ShortHash } from '../ui/short-hash.tsx'
import { Table } from '../ui/table.tsx'

type Overview = Outputs['overview']['read']
type Series = Outputs['overview']['series']

/** Milliseconds without the stream of changes. All open pages of one process share a reading. */
const refresh = 5_000

const counts = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(1))
const shortSeconds = (value: number) => `${value} s`
const shortCoins = (value: number) => value.toLocaleString(undefined, { maximumSignificantDigits: 2 })

export function OverviewScreen() {
  const pace = usePace(refresh)
  const overview = useQuery({
    queryKey: ['overview'],
    queryFn: () => trpc.overview.read.query(),
    // Balances, health and alerts have no events.
    refetchInterval: refresh,
  })
  const series = useQuery({
    queryKey: ['series'],
    queryFn: () => trpc.overview.series.query(),
    refetchInterval: pace,
  })
  return (
    <Screen title="Overview">
      <Loaded query={overview} label="Loading the overview">
        {(data) => (
          <>
            <div>
              <StatusTag status={data.status} />
            </div>
            <Alerts alerts={data.alerts} />
            <Concerns concerns={data.concerns} isCalm={isCalm(data)} />
          </>
        )}
      </Loaded>
      <Loaded query={series} label="Loading the charts">
        {(data) => <Charts data={data} />}
      </Loaded>
      {overview.data && <Tables data={overview.data} />}
    </Screen>
  )
}

function StatusTag({ status }: Pick<Overview, 'status'>) {
  if (status === 'ok') return <Tag tone="good">Healthy</Tag>
  return <Tag tone={status === 'degraded' ? 'waiting' : 'bad'}>{status}</Tag>
}

function Alerts({ alerts }: Pick<Overview, 'alerts'>) {
  if (alerts === 'unanswered')
    return <Notice tone="warning" title="Prometheus does not answer: alerts are not shown." />
  if (alerts === 'unconfigured' || alerts.length === 0) return null
  return (
    <ul className="grid gap-2" aria-label="Alerts that fire">
      {alerts.map(({ name, severity, summary, since, runbook }) => (
        <li key={`${name} ${since} ${summary}`}>
          <Notice tone={severity === 'critical' ? 'error' : 'warning'} title={name}>
            <p className="wrap-anywhere">
              {summary} Since <Ago at={since} />.{' '}
              {runbook !== null && (
                <a href={runbook} target="_blank" rel="noreferrer" className="underline underline-offset-4">
                  What to do
                </a>
              )}
            </p>
          </Notice>
        </li>
      ))}
    </ul>
  )
}

/** No alert fires, and none may be hidden by a Prometheus that does not answer. */
const isCalm = ({ alerts, concerns }: Overview) =>
  concerns.length === 0 && (alerts === 'unconfigured' || alerts.length === 0)

function Concerns({ concerns, isCalm }: Pick<Overview, 'concerns'> & { readonly isCalm: boolean }) {
  if (isCalm)
    return (
      <Notice title="Nothing needs your attention.">Networks, relayers and webhooks are as usual.</Notice>
    )
  if (concerns.length === 0) return null
  return (
    <ul className="grid gap-2" aria-label="What needs attention">
      {concerns.map(({ level, title, text, to }) => (
        <li key={`${title} ${text}`}>
          <Notice tone={level === 'error' ? 'error' : 'warning'} title={title}>
            <p className="wrap-anywhere">
              {text}{' '}
              {to !== '/' && (
                <Link to={to} className="underline underline-offset-4">
                  Show
                </Link>
              )}
            </p>
          </Notice>
        </li>
      ))}
    </ul>
  )
}

function Charts({ data: { minutes, inclusion } }: { data: Series }) {
  const total = (pick: (minute: Series['minutes'][number]) => number) =>
    minutes.reduce((sum, minute) => sum + pick(minute), 0)
  const included = total((minute) => minute.included)
  const failed = total((minute) => minute.reverted + minute.dropped)
  const gas = minutes.reduce((sum, minute) => sum + BigInt(minute.gas), 0n)
  const share = included + failed === 0 ? '–' : `${((100 * included) / (included + failed)).toFixed(1)} %`
  const times = useMemo(() => minutes.map(({ minute }) => minute), [minutes])
  const results = useMemo(
    () =>
      [
        { name: 'Included', colour: 'accent', values: minutes.map((minute) => minute.included) },
        {
          name: 'Reverted or dropped',
          colour: 'danger',
          values: minutes.map((minute) => minute.reverted + minute.dropped),
        },
      ] as const,
    [minutes],
  )
  const medians = useMemo(
    () =>
      [{ name: 'Median', colour: 'cord', values: inclusion.byMinute.map(({ median }) => median) }] as const,
    [inclusion],
  )
  const gasLine = useMemo(
    () =>
      [
        { name: 'Gas', colour: 'accent', values: minutes.map((minute) => Number(minute.gas) / 1e18) },
      ] as const,
    [minutes],
  )
  return (
    <>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3">
        <Figure name="Operations" value={included + failed} note="finished in the last hour" />
        <Figure name="Success" value={share} note={`${failed} reverted or dropped`} />
        <Figure
          name="Time to inclusion"
          value={seconds(inclusion.p50)}
          note={`median; 95 % within ${seconds(inclusion.p95)}`}
        />
        <Figure name="Gas of operations" value={coins(gas)} note="native coins, in the last hour" />
      </dl>
      <div className="grid gap-4 lg:grid-cols-3">
        <ChartCard title="Operations a minute">
          <Chart
            label={`Operations by minute of the last hour: ${included} included, ${failed} reverted or dropped.`}
            times={times}
            series={results}
            format={counts}
          />
        </ChartCard>
        <ChartCard title="Seconds to inclusion">
          <Chart
            label={`Median seconds to inclusion by minute; ${seconds(inclusion.p50)} over the last hour.`}
            times={times}
            series={medians}
            format={shortSeconds}
          />
        </ChartCard>
        <ChartCard title="Gas of operations">
          <Chart
            label={`Gas of operations by minute: ${coins(gas)} in the last hour.`}
            times={times}
            series={gasLine}
            format={shortCoins}
          />
        </ChartCard>
      </div>
    </>
  )
}

function ChartCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card className="grid min-w-0 grid-cols-1 content-start gap-2 p-4">
      <h2 className="font-medium text-sm">{title}</h2>
      {children}
    </Card>
  )
}

function Tables({ data }: { data: Overview }) {
  const nameOf = (network: number) =>
    data.networks.find((one) => one.network === network)?.name ?? String(network)
  return (
    <>
      <Section title="Networks">
        <Table
          caption="Networks"
          rows={data.networks}
          keyOf={({ network }) => String(network)}
          empty="No network is configured."
          columns={[
            { title: 'Network', cell: ({ name, network }) => `${name} (${network})` },
            {
              title: 'State',
              cell: ({ status, rateLimit }) =>
                status === 'down' ? (
                  <Tag tone="bad">No answer</Tag>
                ) : rateLimit === undefined ? (
                  <Tag tone="good">Up</Tag>
                ) : (
                  <Tag tone="waiting">Limited for {rateLimit} s</Tag>
                ),
            },
            { title: 'Block', isNumber: true, cell: ({ block }) => block ?? '–' },
            { title: 'Waiting', isNumber: true, cell: ({ waiting }) => waiting },
            { title: 'Oldest', isNumber: true, cell: ({ oldestAt }) => <Ago at={oldestAt} /> },
          ]}
        />
      </Section>
      <Section title="Relayers">
        <Table
          caption="Relayers"
          rows={data.relayers}
          keyOf={({ network, address }) => `${network} ${address}`}
          empty="No relayer has sent anything yet."
          columns={[
            { title: 'Relayer', cell: ({ address }) => <ShortHash hash={address} /> },
            { title: 'Network', cell: ({ network }) => nameOf(network) },
            {
              title: 'Balance',
              isNumber: true,
              cell: ({ balance }) => (balance === null ? 'no answer' : coins(balance)),
            },
            { title: 'In flight', isNumber: true, cell: ({ inFlight }) => inFlight },
            { title: 'Oldest', isNumber: true, cell: ({ oldestAt }) => <Ago at={oldestAt} /> },
            {
              title: 'Highest fee',
              isNumber: true,
              cell: ({ maxFeePerGas }) => (maxFeePerGas === null ? '–' : gwei(maxFeePerGas)),
            },
            { title: 'Spent, 1 day', isNumber: true, cell: ({ spent }) => coins(spent) },
            { title: 'Earned, 1 day', isNumber: true, cell: ({ earned }) => coins(earned) },
          ]}
        />
        <p className="text-muted text-sm">
          Lost in the last day: {sumOf(data.lostGas)}. Refilled in the last day: {sumOf(data.refilled)}.
        </p>
      </Section>
      <div className="grid gap-5 lg:grid-cols-2">
        <Section title="Sponsorship">
          <Table
            caption="Gas that policies have paid"
            rows={data.budgets}
            keyOf={({ policy, network }) => `${policy} ${network}`}
            empty="No policy has paid for anything yet."
            columns={[
              { title: 'Policy', cell: ({ policy, network }) => `${policy} on ${nameOf(network)}` },
              { title: 'Spent', isNumber: true, cell: ({ spent }) => coins(spent) },
              { title: 'Reserved', isNumber: true, cell: ({ reserved }) => coins(reserved) },
            ]}
          />
        </Section>
        <Section title="Smart balance">
          <Table
            caption="Liquidity and orders"
            rows={data.exposure}
            keyOf={({ network }) => String(network)}
            empty="No network has a smart balance."
            columns={[
              { title: 'Network', cell: ({ network }) => nameOf(network) },
              {
                title: 'Liquidity',
                isNumber: true,
                cell: ({ liquidity }) => (liquidity === null ? 'no answer' : tokens(liquidity)),
              },
              { title: 'Lent', isNumber: true, cell: ({ lent }) => tokens(lent) },
              {
                title: 'Open orders',
                isNumber: true,
                cell: ({ network }) =>
                  data.orders
                    .filter((order) => order.network === network)
                    .reduce((sum, { count }) => sum + count, 0),
              },
            ]}
          />
        </Section>
      </div>
    </>
  )
}

const sumOf = (amounts: readonly { readonly wei: string }[]) =>
  coins(amounts.reduce((sum, { wei }) => sum + BigInt(wei), 0n))
