import { Card, CopyButton, Details, Fact, Notice, Screen, Tag } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
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
            <Calls calls={data.calls} problem={data.callsProblem} />
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

function Calls({ calls, problem }: { calls: Detail['calls']; problem: string | null }) {
  return (
    <Section title="Calls">
      {problem !== null && (
        <Notice tone="warning" title="The calls cannot be read">
          {problem}
        </Notice>
      )}
      {problem === null && calls.length === 0 && <p className="text-muted text-sm">It makes no calls.</p>}
      {calls.map(({ to, value, data, description }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls can be equal and never move
        <Card key={index} className="grid gap-1.5 p-4 text-sm">
          <p className="wrap-anywhere font-medium">
            {description ?? 'A function that this service does not know'}
          </p>
          <p className="wrap-anywhere text-muted">
            To <code className="font-mono text-xs">{to}</code>
            {value !== '0' && `, with ${coins(value)}`}
          </p>
          {data !== '0x' && (
            <Details summary="Call data">
              <code className="wrap-anywhere font-mono text-muted text-xs">{data}</code>
            </Details>
          )}
        </Card>
      ))}
    </Section>
  )
}
