import { Button, Card, Details, Field, Notice, regionalLocale, Screen, Tag, Textarea } from '@lanyard/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useMay } from '../api/may.ts'
import type { Outputs } from '../api/outputs.ts'
import { trpc } from '../api/trpc.ts'
import { useAct } from '../api/use-act.ts'
import { Ago } from '../ui/ago.tsx'
import { coins } from '../ui/amounts.ts'
import { Chart } from '../ui/chart.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
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
  return (
    <Screen
      title="Policies"
      intro="Whose gas the service pays, and how much of it. The first that matches pays."
    >
      <Loaded query={policies} label="Loading policies">
        {(data) => (
          <>
            <Source {...data} />
            <Suspensions suspensions={data.suspensions} />
            {data.policies.length === 0 && (
              <Notice title="There is no policy.">
                The service pays for nobody. Declare them below, or in POLICIES_FILE.
              </Notice>
            )}
            {data.policies.map((policy) => (
              <PolicyCard key={policy.id} policy={policy} />
            ))}
            {mayTry && <Editor data={data} />}
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

/** A draft begins with the present policies. It is judged by the last operations before it is put into force. */
function Editor({ data }: { data: Policies }) {
  const nameOf = useNetworkName()
  const maySave = useMay('operator')
  const [edited, setEdited] = useState<{ readonly text: string; readonly basedOn: number }>()
  const text = edited?.text ?? data.draft
  const basedOn = edited?.basedOn ?? data.number
  const [requested, setRequested] = useState(false)
  const run = useMutation({ mutationFn: () => trpc.policies.dryRun.mutate({ text }) })
  const save = useAct(() => trpc.policies.save.mutate({ text, basedOn }))
  const judged = run.data?.judged ?? []
  const paying = judged.filter(({ wouldPay }) => wouldPay !== null).length
  const changed = judged.filter(({ wouldPay, paidBy }) => wouldPay !== paidBy).length
  const close = () => {
    setRequested(false)
    save.reset()
  }
  const result = run.data && (
    <>
      It would pay for {paying} of {judged.length} operations, which cost {coins(run.data.cost)}; policies
      paid {coins(run.data.paid)}. For {changed} that differs from who paid.
    </>
  )
  return (
    <Section title={maySave ? 'Change them' : 'Try a draft'}>
      <Card className="grid gap-3 p-4">
        <Field
          label="A file of policies"
          hint="As POLICIES_FILE has it. Functions are selectors. “file” as a paymaster means the one in POLICIES_FILE. The last 100 operations judge it: conditions, not budgets."
        >
          {(control) => (
            <Textarea
              {...control}
              rows={14}
              spellCheck={false}
              className="font-mono text-sm"
              value={text}
              onChange={(event) => {
                setEdited({ text: event.target.value, basedOn })
                run.reset()
              }}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" busy={run.isPending && !requested} onClick={() => run.mutate()}>
            Try it
          </Button>
          {maySave && edited !== undefined && (
            <>
              <Button
                busy={run.isPending}
                onClick={() => run.mutate(undefined, { onSuccess: () => setRequested(true) })}
              >
                Put it into force
              </Button>
              <Button
                variant="quiet"
                onClick={() => {
                  setEdited(undefined)
                  run.reset()
                }}
              >
                Start again
              </Button>
            </>
          )}
        </div>
        {run.error && <ErrorNotice error={run.error} />}
      </Card>
      <Confirm
        open={requested}
        title="Put these policies into force?"
        action="Put them into force"
        busy={save.isPending}
        error={save.error}
        onClose={close}
        onConfirm={() =>
          save.mutate(undefined, {
            onSuccess: () => {
              close()
              setEdited(undefined)
              run.reset()
            },
          })
        }
      >
        <p>Every process pays by them within seconds, also for builds that were not submitted yet.</p>
        <p>{result}</p>
        <p>A policy that keeps its id keeps what it has spent.</p>
      </Confirm>
      {run.data && (
        <>
          <p role="status" className="text-sm">
            {result}
          </p>
          <Table
            caption="Verdicts"
            rows={judged}
            keyOf={({ hash }) => hash}
            empty="There is no operation to judge yet."
            columns={[
              {
                title: 'Operation',
                cell: ({ hash }) => <ShortHash hash={hash} to={`/operations/${hash}`} />,
              },
              { title: 'Network', cell: ({ network }) => nameOf(network) },
              { title: 'Paid by', cell: ({ paidBy }) => paidBy ?? 'the account' },
              { title: 'Would pay', cell: ({ wouldPay }) => wouldPay ?? 'nobody' },
              { title: 'Cost', isNumber: true, cell: ({ cost }) => (cost === null ? '–' : coins(cost)) },
              {
                title: 'Why',
                cell: ({ verdicts }) =>
                  verdicts
                    .filter(({ reason }) => reason !== null)
                    .map(({ policy, reason }) => `${policy}: ${reason}`)
                    .join(' ') || '–',
              },
            ]}
          />
        </>
      )}
    </Section>
  )
}
