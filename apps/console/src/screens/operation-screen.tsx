import { Card, CopyButton, Fact, ListSkeleton, Notice, Screen, Tag } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useParams } from 'react-router'
import { usePace } from '../api/changes.ts'
import type { Outputs } from '../api/outputs.ts'
import { trpc } from '../api/trpc.ts'
import { At } from '../ui/ago.tsx'
import { coins, tokens } from '../ui/amounts.ts'
import { Loaded } from '../ui/loaded.tsx'
import { OperationState } from '../ui/operation-state.tsx'
import { Section } from '../ui/section.tsx'
import { ShortHash } from '../ui/short-hash.tsx'
import { useNetworkName } from '../ui/use-networks.ts'

type Detail = Outputs['operations']['detail']

/** Apart, because the ABIs by which it decodes are as large as many screens. */
const OperationCalls = lazy(async () => ({
  default: (await import('./operation-calls.tsx')).OperationCalls,
}))

/** One operation's life. */
export function OperationScreen() {
  const pace = usePace(5_000)
  const { hash = '' } = useParams()
  const detail = useQuery({
    queryKey: ['operation', hash],
    queryFn: () => trpc.operations.detail.query({ hash }),
    refetchInterval: pace,
  })
  return (
    <Screen title="Operation">
      <div className="flex flex-wrap items-center gap-3">
        <code className="wrap-anywhere font-mono text-sm">{hash}</code>
        <CopyButton text={hash} label="Copy the hash" />
        {detail.data && <OperationState {...detail.data} />}
      </div>
      <Loaded query={detail} label="Loading the operation">
        {(data) => (
          <>
            {data.reason && (
              <Notice tone={data.state === 'included' ? 'error' : 'warning'} title={data.reason.code}>
                <span className="wrap-anywhere">{data.reason.message}</span>
              </Notice>
            )}
            <div className="grid gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
              <Timeline steps={data.timeline} />
              <Facts data={data} />
            </div>
            <Suspense fallback={<ListSkeleton label="Loading the calls" />}>
              <OperationCalls {...data} />
            </Suspense>
          </>
        )}
      </Loaded>
    </Screen>
  )
}

const words: Readonly<
  Record<string, { readonly label: string; readonly tone: 'neutral' | 'good' | 'waiting' | 'bad' }>
> = {
  built: { label: 'Built', tone: 'neutral' },
  signed: { label: 'Signed', tone: 'neutral' },
  bundled: { label: 'Bundled', tone: 'waiting' },
  included: { label: 'Included', tone: 'good' },
  reverted: { label: 'Reverted', tone: 'bad' },
  reorged: { label: 'Reorged', tone: 'bad' },
  dropped: { label: 'Dropped', tone: 'bad' },
  replaced: { label: 'Replaced', tone: 'neutral' },
  final: { label: 'Final', tone: 'good' },
  loss: { label: 'Gas lost', tone: 'bad' },
}

function Timeline({ steps }: { steps: Detail['timeline'] }) {
  return (
    <Section title="Timeline">
      <Card>
        <ol>
          {steps.map(({ at, what, text, ...step }) => (
            <li
              key={`${at} ${what} ${'txnHash' in step ? step.txnHash : ''}`}
              className="grid gap-1 border-line border-b px-4 py-3 text-sm last:border-b-0"
            >
              <div className="flex flex-wrap items-center justify-between gap-2">
                <Tag tone={words[what]?.tone ?? 'neutral'}>{words[what]?.label ?? what}</Tag>
                <span className="text-muted text-xs">
                  <At at={at} />
                </span>
              </div>
              <p className="wrap-anywhere">{text}</p>
              {'txnHash' in step && step.txnHash !== undefined && (
                <p className="text-muted">
                  Transaction <ShortHash hash={step.txnHash} />
                  {'state' in step && step.state !== undefined && `, ${step.state}`}
                </p>
              )}
            </li>
          ))}
        </ol>
      </Card>
    </Section>
  )
}

function Facts({ data }: { data: Detail }) {
  const nameOf = useNetworkName()
  return (
    <Section title="Facts">
      <Card className="p-4">
        <dl className="grid gap-2 text-sm">
          <Fact term="Account">
            <ShortHash hash={data.account} to={`/accounts/${data.account}`} />
          </Fact>
          {data.username !== null && <Fact term="User">{data.username}</Fact>}
          <Fact term="Network">{nameOf(data.network)}</Fact>
          <Fact term="Signed with">{data.signMode}</Fact>
          <Fact term="Nonce">
            {data.nonceKey} · {data.nonceSequence}
          </Fact>
          <Fact term="Deliveries">{data.attempts}</Fact>
          <Fact term="Value">{coins(data.value)}</Fact>
          <Fact term="Gas">{data.gasCost === null ? '–' : coins(data.gasCost)}</Fact>
          {data.deploys && <Fact term="Deploys">its account</Fact>}
          {data.replaces !== null && (
            <Fact term="Replaces">
              <ShortHash hash={data.replaces} to={`/operations/${data.replaces}`} />
            </Fact>
          )}
          {data.txnHash !== null && (
            <Fact term="Transaction">
              <ShortHash hash={data.txnHash} />
            </Fact>
          )}
          {data.sponsorship && (
            <Fact term="Gas paid by">
              {data.sponsorship.policy ?? 'the service'}
              {data.sponsorship.verdict !== null && ` (${data.sponsorship.verdict})`}
            </Fact>
          )}
          {data.order && (
            <Fact term="Order">
              {data.order.state}, {tokens(data.order.amount)}
            </Fact>
          )}
        </dl>
      </Card>
    </Section>
  )
}
