import { Card, Details, NetworkMark, regionalLocale, Screen, Tag } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { Check, TriangleAlert } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { usePace } from '../api/changes.ts'
import type { Outputs } from '../api/outputs.ts'
import { trpc } from '../api/trpc.ts'
import { Ago, At, Clock } from '../ui/ago.tsx'
import { coins, duration, gwei, seconds, tokens, whole } from '../ui/amounts.ts'
import { Chart } from '../ui/chart.tsx'
import { Figure } from '../ui/figure.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Section } from '../ui/section.tsx'
import { ShortHash } from '../ui/short-hash.tsx'
import { Spark } from '../ui/spark.tsx'
import { Table } from '../ui/table.tsx'

type Overview = Outputs['overview']['read']
type Series = Outputs['overview']['series']

/** Milliseconds without the stream of changes. All open pages of one process share a reading. */
const refresh = 5_000

const counts = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(1))
const shortSeconds = (value: number) => `${value} s`
const shortCoins = (value: number) => value.toLocaleString(regionalLocale, { maximumSignificantDigits: 2 })

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
        {(data) => <State data={data} />}
      </Loaded>
      <Loaded query={series} label="Loading the charts">
        {(data) => <Charts data={data} />}
      </Loaded>
      {overview.data && <Tables data={overview.data} />}
    </Screen>
  )
}

/** What needs an operator comes first. What is well is one line. */
function State({ data }: { data: Overview }) {
  const { alerts, concerns, well, at } = data
  const firing = typeof alerts === 'string' ? [] : alerts
  const count = firing.length + concerns.length
  return (
    <Card className="overflow-hidden">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 py-3">
        <h2 className="font-semibold">{headline(count, alerts)}</h2>
        <p className="text-muted text-xs">
          Read at <Clock at={at} />
        </p>
      </div>
      {alerts === 'unanswered' && (
        <Row level="warning" title="Prometheus does not answer">
          Alerts are not shown. Check CONSOLE_PROMETHEUS_URL.
        </Row>
      )}
      {firing.length > 0 && (
        <ul aria-label="Alerts that fire">
          {firing.map(({ name, severity, summary, since, runbook }) => (
            <li key={`${name} ${since} ${summary}`}>
              <Row
                level={severity === 'critical' ? 'error' : 'warning'}
                title={name}
                action={
                  runbook !== null && (
                    <a href={runbook} target="_blank" rel="noreferrer" className={actionClasses}>
                      What to do
                    </a>
                  )
                }
              >
                {summary} Since <At at={since} />.
              </Row>
            </li>
          ))}
        </ul>
      )}
      {concerns.length > 0 && (
        <ul aria-label="What needs attention">
          {concerns.map(({ level, title, text, since, link }) => (
            <li key={`${title} ${text}`}>
              <Row
                level={level}
                title={title}
                action={
                  link && (
                    <Link to={link.to} className={actionClasses}>
                      {link.label}
                    </Link>
                  )
                }
              >
                {text}
                {since !== null && (
                  <>
                    {' '}
                    Since <At at={since} />.
                  </>
                )}
              </Row>
            </li>
          ))}
        </ul>
      )}
      <ul
        aria-label="What is well"
        className="flex flex-wrap gap-x-5 gap-y-1 border-line border-t px-4 py-3 text-muted text-sm"
      >
        {well.map((text) => (
          <li key={text} className="flex items-center gap-1.5">
            <Check className="size-4 shrink-0 text-accent" aria-hidden="true" />
            {text}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Without an answer of Prometheus, an alert may fire that this page does not know. */
function headline(count: number, alerts: Overview['alerts']): string {
  if (count > 0) return count === 1 ? '1 thing needs you' : `${count} things need you`
  return alerts === 'unanswered' ? 'Alerts are unknown' : 'Nothing needs you'
}

const actionClasses =
  'inline-flex min-h-11 shrink-0 items-center rounded-field font-medium text-sm underline underline-offset-4 sm:min-h-8'

function Row({
  level,
  title,
  action,
  children,
}: {
  level: 'error' | 'warning'
  title: string
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <div
      className={`flex flex-wrap items-center justify-between gap-x-4 border-line border-t px-4 py-3 ${level === 'error' ? 'bg-danger-soft' : 'bg-cord-soft text-cord-ink'}`}
    >
      <div className="flex min-w-0 flex-1 basis-64 gap-3">
        <TriangleAlert
          className={`mt-0.5 size-4.5 shrink-0 ${level === 'error' ? 'text-danger' : ''}`}
          aria-hidden="true"
        />
        <div className="grid min-w-0 gap-0.5">
          <p className={`font-medium ${level === 'error' ? 'text-danger' : ''}`}>{title}</p>
          <p className="wrap-anywhere text-sm">{children}</p>
        </div>
      </div>
      {action}
    </div>
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
      <dl className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        <Figure
          name="Operations"
          value={included + failed}
          note="finished in the last hour"
          to="/operations"
          course={
            <Spark
              label={`Operations by minute of the last hour: ${included} included, ${failed} reverted or dropped.`}
              values={minutes.map((minute) => minute.included + minute.reverted + minute.dropped)}
            />
          }
        />
        <Figure
          name="Success"
          value={share}
          note={`${failed} reverted or dropped`}
          to={failed > 0 ? '/operations?state=reverted' : '/operations?state=included'}
          course={
            <Spark
              label={`Reverted or dropped by minute: ${failed} in the last hour.`}
              values={minutes.map((minute) => minute.reverted + minute.dropped)}
            />
          }
        />
        <Figure
          name="Time to inclusion"
          value={seconds(inclusion.p50)}
          note={`median; 95 % within ${seconds(inclusion.p95)}`}
          to="/operations?state=included"
          course={
            <Spark
              label={`Median seconds to inclusion by minute; ${seconds(inclusion.p50)} over the last hour.`}
              values={inclusion.byMinute.map(({ median }) => median)}
            />
          }
        />
        <Figure
          name="Gas of operations"
          value={coins(gas)}
          note="native coins, in the last hour"
          to="/policies"
          course={
            <Spark
              label={`Gas of operations by minute: ${coins(gas)} in the last hour.`}
              values={minutes.map((minute) => Number(minute.gas) / 1e18)}
            />
          }
        />
      </dl>
      <Details summary="Charts of the last hour">
        <div className="grid gap-4 lg:grid-cols-3">
          <ChartCard title="Operations a minute">
            <Chart
              label={`Chart of operations by minute: ${included} included, ${failed} reverted or dropped.`}
              times={times}
              series={results}
              format={counts}
            />
          </ChartCard>
          <ChartCard title="Seconds to inclusion">
            <Chart
              label={`Chart of the median seconds to inclusion by minute; ${seconds(inclusion.p50)} over the hour.`}
              times={times}
              series={medians}
              format={shortSeconds}
            />
          </ChartCard>
          <ChartCard title="Gas of operations">
            <Chart
              label={`Chart of the gas of operations by minute: ${coins(gas)} in the hour.`}
              times={times}
              series={gasLine}
              format={shortCoins}
            />
          </ChartCard>
        </div>
      </Details>
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
      <Section
        title="Relayers"
        aside={<p className="text-muted text-sm">Balances and nonces from the chain</p>}
      >
        <Table
          caption="Relayers, nearest to empty first"
          rows={data.relayers}
          keyOf={({ network, address }) => `${network} ${address}`}
          empty="No relayer has sent anything yet."
          columns={[
            { title: 'Relayer', cell: ({ address }) => <ShortHash hash={address} /> },
            {
              title: 'Network',
              cell: ({ network }) => <NetworkName network={network} name={nameOf(network)} />,
            },
            {
              title: 'Balance',
              isNumber: true,
              cell: ({ balance, symbol }) => (balance === null ? 'no answer' : `${coins(balance)} ${symbol}`),
            },
            { title: 'Lasts', isNumber: true, cell: (relayer) => <Lasts {...relayer} /> },
            {
              title: 'In flight',
              isNumber: true,
              cell: ({ inFlight, network }) => (
                <Count count={inFlight} to={`/operations?state=waiting&network=${network}`} />
              ),
            },
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
      <Section title="Networks">
        <Table
          caption="Networks"
          rows={data.networks}
          keyOf={({ network }) => String(network)}
          empty="No network is configured."
          columns={[
            {
              title: 'Network',
              cell: ({ network }) => <NetworkName network={network} name={nameOf(network)} />,
            },
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
            {
              title: 'Block',
              isNumber: true,
              cell: ({ block }) => (block === null ? '–' : whole(Number(block))),
            },
            {
              title: 'Waiting',
              isNumber: true,
              cell: ({ waiting, network }) => (
                <Count count={waiting} to={`/operations?state=waiting&network=${network}`} />
              ),
            },
            { title: 'Oldest', isNumber: true, cell: ({ oldestAt }) => <Ago at={oldestAt} /> },
            ...(data.exposure.length > 0 ? exposureColumns(data) : []),
          ]}
        />
      </Section>
      <Section title="Sponsorship">
        <Table
          caption="Gas that policies have paid"
          rows={data.budgets}
          keyOf={({ policy, network }) => `${policy} ${network}`}
          empty="No policy has paid for anything yet."
          columns={[
            {
              title: 'Policy',
              cell: ({ policy }) => (
                <Link to="/policies" className={linkClasses}>
                  {policy}
                </Link>
              ),
            },
            {
              title: 'Network',
              cell: ({ network }) => <NetworkName network={network} name={nameOf(network)} />,
            },
            { title: 'Operations', isNumber: true, cell: ({ operations }) => whole(operations) },
            { title: 'Spent', isNumber: true, cell: ({ spent }) => coins(spent) },
            { title: 'Reserved', isNumber: true, cell: ({ reserved }) => coins(reserved) },
          ]}
        />
      </Section>
    </>
  )
}

const linkClasses = 'touch-area font-medium underline decoration-1 underline-offset-4'

/** A count that leads to the rows that it counts. */
const Count = ({ count, to }: { count: number; to: string }) =>
  count === 0 ? (
    '0'
  ) : (
    <Link
      to={to}
      className="inline-flex min-h-11 min-w-11 items-center justify-end font-medium underline decoration-1 underline-offset-4 lg:min-h-0"
    >
      {whole(count)}
    </Link>
  )

const NetworkName = ({ network, name }: { network: number; name: string }) => (
  <span>
    <NetworkMark chainId={network} name={name} className="mr-2 inline size-4 align-[-0.15em]" />
    {name}
  </span>
)

const day = 86_400

/** How long a balance lasts. A balance that lasts for more than a month needs no action. */
function Lasts({ balance, lasts, spent }: Overview['relayers'][number]) {
  if (balance === null || (lasts === null && spent === '0')) return '–'
  if (lasts === null) return <span className="text-muted">earns what it spends</span>
  if (lasts > 60 * day) return 'over 2 months'
  const text = duration(lasts)
  return lasts < day ? <strong className="font-semibold text-cord-ink">{text}</strong> : text
}

const exposureColumns = ({ exposure, orders }: Overview) => {
  const of = (network: number) => exposure.find((one) => one.network === network)
  type Row = Overview['networks'][number]
  return [
    {
      title: 'Liquidity',
      isNumber: true,
      cell: ({ network }: Row) => {
        const liquidity = of(network)?.liquidity
        return liquidity === undefined ? '–' : liquidity === null ? 'no answer' : tokens(liquidity)
      },
    },
    {
      title: 'Lent',
      isNumber: true,
      cell: ({ network }: Row) => {
        const lent = of(network)?.lent
        return lent === undefined ? '–' : tokens(lent)
      },
    },
    {
      title: 'Open orders',
      isNumber: true,
      cell: ({ network }: Row) => (
        <Count
          count={orders
            .filter((order) => order.network === network)
            .reduce((sum, { count }) => sum + count, 0)}
          to="/balance"
        />
      ),
    },
  ]
}

const sumOf = (amounts: readonly { readonly wei: string }[]) =>
  coins(amounts.reduce((sum, { wei }) => sum + BigInt(wei), 0n))
