import { Button, Card, Details, Notice, regionalLocale, Screen, Tag } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useMay } from '../api/may.ts'
import type { Outputs } from '../api/outputs.ts'
import { trpc } from '../api/trpc.ts'
import { useAct } from '../api/use-act.ts'
import { Ago } from '../ui/ago.tsx'
import { coins } from '../ui/amounts.ts'
import { Chart } from '../ui/chart.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Section } from '../ui/section.tsx'
import { ShortHash } from '../ui/short-hash.tsx'
import { Table } from '../ui/table.tsx'
import { useNetworkName } from '../ui/use-networks.ts'

type Policies = Outputs['policies']['list']
type Policy = Policies['policies'][number]

export function PoliciesScreen() {
  const policies = useQuery({ queryKey: ['policies'], queryFn: () => trpc.policies.list.query() })
  const mayTry = useMay('support')
  const maySave = useMay('operator')
  return (
    <Screen
      title="Policies"
      intro="Whose gas the service pays, and how much of it. The first that matches pays."
      aside={
        mayTry && (
          <Button asChild>
            <Link to="/policies/edit">{maySave ? 'Change policies' : 'Try a draft'}</Link>
          </Button>
        )
      }
    >
      <Loaded query={policies} label="Loading policies">
        {(data) => (
          <>
            <Source {...data} />
            <Suspensions suspensions={data.suspensions} />
            {data.policies.length === 0 && (
              <Notice title="There is no policy.">
                The service pays for nobody. Declare them here, or in POLICIES_FILE.
              </Notice>
            )}
            {data.policies.map((policy) => (
              <PolicyCard key={policy.id} policy={policy} />
            ))}
          </>
        )}
      </Loaded>
    </Screen>
  )
}

const shortCoins = (value: number) => value.toLocaleString(regionalLocale, { maximumSignificantDigits: 2 })

function PolicyCard({ policy }: { policy: Policy }) {
  const nameOf = useNetworkName()
  const { id, effect, description, text, budgets, days } = policy
  const mayTry = useMay('support')
  const times = useMemo(() => days.map(({ day }) => Date.parse(day) / 1000), [days])
  const line = useMemo(
    () => [{ name: 'Gas', colour: 'accent', values: days.map(({ wei }) => Number(wei) / 1e18) }] as const,
    [days],
  )
  return (
    <Card className="grid min-w-0 grid-cols-1 gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="font-semibold text-lg tracking-tight">{id}</h2>
        <Tag tone={effect === 'allow' ? 'good' : 'bad'}>{effect === 'allow' ? 'Pays' : 'Denies'}</Tag>
        {mayTry && (
          <Link
            to={`/policies/edit?policy=${id}`}
            aria-label={`Change ${id}`}
            className="touch-area ml-auto text-sm underline underline-offset-4"
          >
            Change
          </Link>
        )}
      </div>
      {description !== null && <p className="text-sm">{description}</p>}
      {effect === 'allow' && (
        <Table
          caption={`Budgets of ${id}`}
          rows={budgets}
          keyOf={({ network }) => String(network)}
          empty="It has paid for nothing yet."
          columns={[
            { title: 'Network', cell: ({ network }) => nameOf(network) },
            { title: 'Operations', isNumber: true, cell: ({ operations }) => operations },
            { title: 'Spent', isNumber: true, cell: ({ spent }) => coins(spent) },
            { title: 'Reserved', isNumber: true, cell: ({ reserved }) => coins(reserved) },
            { title: 'Promised', isNumber: true, cell: ({ promised }) => coins(promised) },
            {
              title: 'A day at most',
              isNumber: true,
              cell: ({ limits }) => (limits.day === null ? 'no limit' : coins(limits.day)),
            },
          ]}
        />
      )}
      {days.length > 1 && (
        <Chart
          label={`Gas that ${id} paid by day: ${days.map(({ day, wei }) => `${day}: ${coins(wei)}`).join('; ')}.`}
          times={times}
          series={line}
          format={shortCoins}
        />
      )}
      <Details summary="As the service reads it">
        <pre className="wrap-anywhere whitespace-pre-wrap font-mono text-xs">{text}</pre>
      </Details>
    </Card>
  )
}

function Suspensions({ suspensions }: Pick<Policies, 'suspensions'>) {
  const may = useMay('operator')
  const nameOf = useNetworkName()
  const [subject, setSubject] = useState<string>()
  const resume = useAct((ended: string) => trpc.policies.resume.mutate({ subject: ended }))
  const close = () => {
    setSubject(undefined)
    resume.reset()
  }
  if (suspensions.length === 0) return null
  return (
    <Section title="Suspended from sponsorship">
      <Table
        caption="Suspensions"
        rows={suspensions}
        keyOf={({ network, subject: suspended }) => `${network} ${suspended}`}
        empty=""
        columns={[
          { title: 'Who', cell: ({ subject: suspended }) => <ShortHash hash={suspended} /> },
          { title: 'Network', cell: ({ network }) => nameOf(network) },
          { title: 'Why', cell: ({ reason }) => reason },
          { title: 'Operation', cell: ({ hash }) => <ShortHash hash={hash} to={`/operations/${hash}`} /> },
          { title: 'Until', cell: ({ until }) => <Ago at={until} /> },
          ...(may
            ? [
                {
                  title: 'Act',
                  cell: ({ subject: suspended }: Policies['suspensions'][number]) => (
                    <Button
                      variant="secondary"
                      size="small"
                      aria-label={`Resume ${suspended}`}
                      onClick={() => setSubject(suspended)}
                    >
                      Resume
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      <Confirm
        open={subject !== undefined}
        title="End this suspension?"
        action="End it"
        busy={resume.isPending}
        error={resume.error}
        onClose={close}
        onConfirm={() => subject !== undefined && resume.mutate(subject, { onSuccess: close })}
      >
        <p>{subject} may be sponsored again at once, on every network.</p>
      </Confirm>
    </Section>
  )
}

/** What an edit says about itself: who put the present policies into force, and how to leave them. */
function Source({ file, edit, number }: Pick<Policies, 'file' | 'edit' | 'number'>) {
  const may = useMay('operator')
  const [requested, setRequested] = useState(false)
  const discard = useAct(() => trpc.policies.discard.mutate({ basedOn: number }))
  const origin = file === null ? 'the policies without an edit' : 'POLICIES_FILE'
  if (edit === null) return null
  const close = () => {
    setRequested(false)
    discard.reset()
  }
  return (
    <Notice title={`${edit.editor} edited them here.`}>
      <p>
        <Ago at={edit.at} />: {origin} {file === null ? 'do' : 'does'} not count until the edits are
        discarded.
      </p>
      {may && (
        <Button variant="secondary" size="small" className="mt-2" onClick={() => setRequested(true)}>
          Discard the edits
        </Button>
      )}
      <Confirm
        open={requested}
        title="Discard the edits?"
        action="Discard them"
        danger
        busy={discard.isPending}
        error={discard.error}
        onClose={close}
        onConfirm={() => discard.mutate(undefined, { onSuccess: close })}
      >
        <p>Every process returns to {origin}, as it read them at its start, within seconds.</p>
      </Confirm>
    </Notice>
  )
}
