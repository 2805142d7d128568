import {
  Button,
  Card,
  Field,
  Input,
  Notice,
  Screen,
  Spinner,
  shortAddress,
  TabPanel,
  Tabs,
  Textarea,
  useDebounced,
} from '@lanyard/ui'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useMay } from '../api/may.ts'
import type { Outputs } from '../api/outputs.ts'
import { readError } from '../api/service-error.ts'
import { trpc } from '../api/trpc.ts'
import { useAct } from '../api/use-act.ts'
import { coins, whole } from '../ui/amounts.ts'
import { ChangedPolicies } from '../ui/changed-members.tsx'
import { Choice, ChoiceOf } from '../ui/choice.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { ShortHash } from '../ui/short-hash.tsx'
import { useNetworks } from '../ui/use-networks.ts'
import { type DraftPolicy, PolicyForm } from './policy-form.tsx'

type Policies = Outputs['policies']['list']
type DryRun = Outputs['policies']['dryRun']
type Judged = DryRun['judged'][number]

/** A draft of all policies. It begins with those in force, and the last operations judge it while it is written. */
export function PolicyEditorScreen() {
  const policies = useQuery({ queryKey: ['policies'], queryFn: () => trpc.policies.list.query() })
  const mayTry = useMay('support')
  if (!mayTry) {
    return (
      <Screen title="Change policies">
        <Notice title="Drafts need the role support.">An administrator can change your role.</Notice>
      </Screen>
    )
  }
  return (
    <Loaded query={policies} label="Loading policies">
      {(data) => <Editor data={data} />}
    </Loaded>
  )
}

const toText = (policies: readonly DraftPolicy[]) => JSON.stringify({ policies }, null, 2)

/** Undefined for a text that is no file of policies. */
function toPolicies(text: string): readonly DraftPolicy[] | undefined {
  try {
    const list: unknown = Reflect.get(Object(JSON.parse(text)), 'policies')
    return Array.isArray(list) && list.every((one) => typeof one === 'object' && one !== null)
      ? list
      : undefined
  } catch {
    return undefined
  }
}

function Editor({ data }: { data: Policies }) {
  const maySave = useMay('operator')
  const [params, setParams] = useSearchParams()
  const [view, setView] = useState<'form' | 'file'>('form')
  const [edited, setEdited] = useState<{ readonly text: string; readonly basedOn: number }>()
  const [requested, setRequested] = useState(false)
  const text = edited?.text ?? data.draft
  const basedOn = edited?.basedOn ?? data.number
  const settled = useDebounced(text)
  const [askedToken, setAskedToken] = useState('')
  const charged = chargedTokens(toPolicies(settled) ?? [])
  const feeToken = charged.find((token) => token === askedToken)
  const run = useQuery({
    queryKey: ['dry-run', settled, feeToken],
    queryFn: () => trpc.policies.dryRun.mutate({ text: settled, feeToken }),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const save = useAct(() => trpc.policies.save.mutate({ text, basedOn }))
  const isTried = text === settled && run.isSuccess && !run.isPlaceholderData && !run.isFetching
  const isChanged = edited !== undefined && text !== data.draft
  const change = (next: string) => setEdited({ text: next, basedOn })
  const close = () => {
    setRequested(false)
    save.reset()
  }
  return (
    <Screen
      title="Change policies"
      above={
        <p className="text-sm">
          <Link
            to="/policies"
            className="inline-flex min-h-11 items-center text-muted underline underline-offset-4 md:min-h-6"
          >
            Policies
          </Link>
        </p>
      }
      aside={
        <div className="flex flex-wrap items-center gap-2">
          {isChanged && (
            <Button variant="quiet" onClick={() => setEdited(undefined)}>
              Discard
            </Button>
          )}
          {maySave ? (
            <Button disabled={!isChanged || !isTried} onClick={() => setRequested(true)}>
              Put into force…
            </Button>
          ) : (
            <p className="text-muted text-sm">Your role may try drafts only.</p>
          )}
        </div>
      }
    >
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <Card className="min-w-0 overflow-hidden">
          <Tabs
            label="How the policies are shown"
            value={view}
            onChange={setView}
            tabs={[
              { value: 'form', label: 'Form' },
              { value: 'file', label: 'As a file' },
            ]}
          >
            <TabPanel value="form">
              <Form
                text={text}
                inForce={toPolicies(data.draft) ?? []}
                chosen={params.get('policy')}
                onChoose={(policy) => setParams(policy === undefined ? {} : { policy }, { replace: true })}
                onChange={(next) => change(toText(next))}
              />
            </TabPanel>
            <TabPanel value="file" className="p-4">
              <Field
                label="A file of policies"
                hint="As POLICIES_FILE has it: amounts are wei, functions selectors. “file” as a paymaster means the one in POLICIES_FILE."
              >
                {(control) => (
                  <Textarea
                    {...control}
                    rows={24}
                    spellCheck={false}
                    className="font-mono text-sm"
                    value={text}
                    onChange={(event) => change(event.target.value)}
                  />
                )}
              </Field>
            </TabPanel>
          </Tabs>
        </Card>
        <div className="grid min-w-0 gap-4 xl:sticky xl:top-4">
          {run.error && text === settled && <Problems error={run.error} text={text} />}
          {run.data && (
            <>
              <Panel title="What changes" aside={isChanged ? memberCount(run.data) : undefined}>
                {run.data.changes.length > 0 ? (
                  <ChangedPolicies changes={run.data.changes} />
                ) : (
                  <p className="text-muted text-sm">
                    {isChanged ? 'No member changes. The order may.' : 'Nothing yet.'}
                  </p>
                )}
              </Panel>
              <Panel
                title="Dry run"
                aside={
                  isTried ? (
                    `last ${whole(run.data.judged.length)} operations`
                  ) : (
                    <span className="flex items-center gap-2">
                      <Spinner /> Trying…
                    </span>
                  )
                }
              >
                {charged.length > 0 && (
                  <Choice
                    label="Who is to pay"
                    value={feeToken ?? ''}
                    options={{
                      '': 'As each account asked',
                      ...Object.fromEntries(charged.map((token) => [token, `Every account, in ${token}`])),
                    }}
                    onChange={setAskedToken}
                  />
                )}
                <Verdicts run={run.data} />
              </Panel>
            </>
          )}
        </div>
      </div>
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
            },
          })
        }
      >
        {run.data && (
          <>
            <div className="max-h-80 overflow-y-auto">
              <ChangedPolicies changes={run.data.changes} />
            </div>
            <p>
              Every process pays by them within seconds, also for builds that were not submitted yet. A policy
              that keeps its id keeps what it has spent.
            </p>
          </>
        )}
      </Confirm>
    </Screen>
  )
}

/** The tokens that policies take for gas. */
const chargedTokens = (policies: readonly DraftPolicy[]): readonly string[] => [
  ...new Set(
    policies.flatMap(({ charge }) => {
      const token: unknown = charge && Reflect.get(Object(charge), 'token')
      return typeof token === 'string' ? [token] : []
    }),
  ),
]

function memberCount({ changes }: DryRun): string {
  const count = changes.reduce((sum, { members }) => sum + members.length, 0)
  return count === 1 ? '1 member' : `${count} members`
}

/** Names the policy instead of its place in the file. */
function Problems({ error, text }: { error: unknown; text: string }) {
  const policies = toPolicies(text)
  const problems = readError(error)
    .title.replace(/policies\.(\d+)(?:\.([\w.]+))?: /g, (_, index: string, path: string | undefined) => {
      const id = policies?.[Number(index)]?.id
      return `\n${typeof id === 'string' ? id : `Policy ${Number(index) + 1}`}${path === undefined ? '' : `, ${path}`}: `
    })
    .split('\n')
    .filter((line) => line.trim() !== '')
  return (
    <Notice tone="warning" title="This draft cannot be tried yet">
      <ul className="wrap-anywhere grid gap-1">
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </Notice>
  )
}

interface PolicyListProps {
  readonly text: string
  readonly inForce: readonly DraftPolicy[]
  readonly chosen: string | null
  readonly onChoose: (id: string | undefined) => void
  readonly onChange: (next: readonly DraftPolicy[]) => void
}

/** Of all policies of the draft, the form shows one. */
function Form({ text, inForce, chosen, onChoose, onChange }: PolicyListProps) {
  const [name, setName] = useState('')
  const policies = toPolicies(text)
  if (!policies) {
    return (
      <div className="p-4">
        <Notice tone="warning" title="The file is no list of policies.">
          Correct it under “As a file”, or discard the draft.
        </Notice>
      </div>
    )
  }
  const index = Math.max(
    policies.findIndex(({ id }) => id === chosen),
    0,
  )
  const policy = policies[index]
  const ids = policies.map(({ id }) => String(id))
  const move = (by: -1 | 1) => {
    const next = [...policies]
    const [moved] = next.splice(index, 1)
    if (moved) next.splice(index + by, 0, moved)
    onChoose(String(policy?.id))
    onChange(next)
  }
  const add = () => {
    const id = name.trim()
    if (id === '' || ids.includes(id)) return
    onChange([...policies, { id, effect: 'allow', budgets: {} }])
    onChoose(id)
    setName('')
  }
  return (
    <>
      <div className="flex flex-wrap items-end gap-2 p-4">
        {policy && (
          <>
            <div className="min-w-48 flex-1">
              <ChoiceOf
                aria-label="Policy"
                options={Object.fromEntries(ids.map((id, at) => [id, `${at + 1}. ${id}`]))}
                value={String(policy.id)}
                onChange={onChoose}
              />
            </div>
            <Button
              variant="secondary"
              size="icon"
              aria-label="Move it up"
              disabled={index === 0}
              onClick={() => move(-1)}
            >
              <ArrowUp className="size-4" aria-hidden="true" />
            </Button>
            <Button
              variant="secondary"
              size="icon"
              aria-label="Move it down"
              disabled={index === policies.length - 1}
              onClick={() => move(1)}
            >
              <ArrowDown className="size-4" aria-hidden="true" />
            </Button>
            <Button
              variant="secondary"
              size="icon"
              aria-label="Take it out"
              onClick={() => {
                onChoose(undefined)
                onChange(policies.filter((_, at) => at !== index))
              }}
            >
              <Trash2 className="size-4" aria-hidden="true" />
            </Button>
          </>
        )}
        <form
          className="flex min-w-48 flex-1 gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            add()
          }}
        >
          <Input
            aria-label="Id of a new policy"
            placeholder="new-policy"
            pattern="[a-z0-9][a-z0-9\-]{0,63}"
            title="Lower-case letters, digits and “-”, at most 64"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" variant="secondary">
            <Plus className="size-4" aria-hidden="true" />
            Add
          </Button>
        </form>
      </div>
      {policy && (
        <PolicyForm
          key={String(policy.id)}
          policy={policy}
          before={inForce.find(({ id }) => id === policy.id)}
          onChange={(next) => onChange(policies.map((one, at) => (at === index ? next : one)))}
        />
      )}
    </>
  )
}

function Panel({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <Card className="grid min-w-0 grid-cols-1 gap-3 p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="font-semibold">{title}</h2>
        <span className="text-muted text-sm" role="status">
          {aside}
        </span>
      </div>
      {children}
    </Card>
  )
}

/** How the draft decides on the last operations, and those on which it decides otherwise. */
function Verdicts({ run: { judged, cost, inForce, paid } }: { run: DryRun }) {
  const symbols = new Set(useNetworks().map(({ symbol }) => symbol))
  const unit = symbols.size === 1 ? [...symbols].join() : 'coins'
  if (judged.length === 0) return <p className="text-muted text-sm">There is no operation to judge yet.</p>
  const isPaid = (one: Judged) => one.would.kind === 'policy'
  const counts = {
    same: judged.filter((one) => isPaid(one) && !one.differs).length,
    newly: judged.filter((one) => isPaid(one) && one.differs).length,
    not: judged.filter((one) => !isPaid(one)).length,
    token: judged.filter(({ would }) => would.kind === 'token').length,
  }
  const parts = [
    { part: 'same', from: 0 },
    { part: 'newly', from: counts.same },
    { part: 'not', from: counts.same + counts.newly },
  ] as const
  const differing = judged.filter(({ differs }) => differs)
  return (
    <>
      <svg className="h-2 w-full rounded-full" aria-hidden="true">
        {parts.map(({ part, from }) => (
          <rect
            key={part}
            x={`${(100 * from) / judged.length}%`}
            width={`${(100 * counts[part]) / judged.length}%`}
            height="100%"
            className={colours[part]}
            fill="currentColor"
          />
        ))}
      </svg>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <Legend colour={colours.same} text={`${whole(counts.same)} paid as now`} />
        <Legend colour={colours.newly} text={`${whole(counts.newly)} paid otherwise`} />
        <Legend colour={colours.not} text={`${whole(counts.not)} not paid by you`} />
        {counts.token > 0 && <li className="text-muted">{`${whole(counts.token)} in a token`}</li>}
      </ul>
      <p className="figures text-sm">
        <strong className="font-semibold">
          {coins(cost)} {unit}
        </strong>
        , instead of {coins(inForce)} {unit} by the policies in force. Policies paid {coins(paid)} {unit}.
      </p>
      {differing.length > 0 && (
        <ul aria-label="Operations on which the draft decides otherwise" className="max-h-96 overflow-y-auto">
          {differing.map((one) => (
            <li key={one.hash} className="grid gap-0.5 border-line border-t py-2 text-sm">
              <span className="flex items-center justify-between gap-3">
                <ShortHash hash={one.hash} to={`/operations/${one.hash}`} />
                <span className="figures">{one.cost === null ? '–' : `${coins(one.cost)} ${unit}`}</span>
              </span>
              <span className="wrap-anywhere text-muted">Today: {payer(one, one.today)}</span>
              <span className="wrap-anywhere font-medium">With this: {payer(one, one.would)}</span>
            </li>
          ))}
        </ul>
      )}
      <p className="text-muted text-xs">
        Budgets are not part of a dry run. An account that pays for itself may not have asked you.
      </p>
    </>
  )
}

const colours = { same: 'text-accent', newly: 'text-cord', not: 'text-strong-line' } as const

const Legend = ({ colour, text }: { colour: string; text: string }) => (
  <li className="flex items-center gap-1.5">
    <svg viewBox="0 0 8 8" className={`size-2 ${colour}`} aria-hidden="true">
      <circle cx="4" cy="4" r="4" fill="currentColor" />
    </svg>
    {text}
  </li>
)

function payer({ username, account, verdicts }: Judged, { kind, policy }: Judged['today']): string {
  switch (kind) {
    case 'policy':
      return `you pay (${policy ?? 'a policy'})`
    case 'token':
      return `${username ?? shortAddress(account)} pays in a token (${policy ?? 'a policy'})`
    case 'account': {
      const denied = verdicts.find(({ result }) => result === 'denies')
      return `${username ?? shortAddress(account)} pays${denied ? `, ${denied.policy} refuses` : ''}`
    }
    case 'smart-balance':
      return 'the smart balance pays'
    case 'paymaster':
      return 'another paymaster pays'
    case 'unknown':
      return 'depends on an API key that is not known any more'
  }
}
