import { Button, Details, Field, Input, NetworkMark, Textarea } from '@lanyard/ui'
import { Plus, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { formatEther, parseEther } from 'viem'
import { Choice } from '../ui/choice.tsx'
import { useNetworks } from '../ui/use-networks.ts'

/** A policy as a file has it. Only the service knows whether it is valid. */
export type DraftPolicy = Readonly<Record<string, unknown>>

interface FormProps {
  readonly policy: DraftPolicy
  /** The policy of this id in force; undefined for a new one. */
  readonly before: DraftPolicy | undefined
  readonly onChange: (next: DraftPolicy) => void
}

function read(from: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      from,
    )
}

/** A copy with another value at a path; undefined takes it out, and what is empty without it. */
function write(from: unknown, path: string, value: unknown): DraftPolicy {
  const [key = '', ...rest] = path.split('.')
  const { [key]: old, ...others } = Object(from) as Record<string, unknown>
  const next = rest.length === 0 ? value : write(old, rest.join('.'), value)
  const isEmpty = next === undefined || (rest.length > 0 && Object.keys(Object(next)).length === 0)
  if (isEmpty && key !== 'budgets') return others
  // A member that was there keeps its place.
  return Object.hasOwn(Object(from), key)
    ? { ...Object(from), [key]: next ?? {} }
    : { ...others, [key]: next ?? {} }
}

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** What only a policy that pays has. */
const ofPaying: ReadonlySet<string> = new Set(['budgets', 'callGas', 'anyBundler', 'paymaster', 'charge'])

const inForm: ReadonlySet<string> = new Set([
  ...['id', 'effect', 'description', 'apiKeys', 'accounts', 'users', 'networks', 'calls'],
  ...['budgets', 'callGas', 'paymaster', 'charge', 'validFrom', 'validUntil'],
])

/** One policy, member by member. A changed one has an edge, and says what was. */
export function PolicyForm({ policy, before, onChange }: FormProps) {
  const networks = useNetworks()
  const ofPolicy = texts(policy.networks)
  const symbols = new Set(
    networks
      .filter(({ network }) => ofPolicy.length === 0 || ofPolicy.includes(String(network)))
      .map(({ symbol }) => symbol),
  )
  const symbol = symbols.size === 1 ? [...symbols].join() : 'coins'
  const set = (path: string) => (value: unknown) => onChange(write(policy, path, value))
  const list = (path: string) => ({
    values: texts(policy[path]),
    isChanged: before !== undefined && !isSame(policy[path], before[path]),
    onChange: (next: readonly string[]) => set(path)(next.length === 0 ? undefined : next),
  })
  const member = (path: string) => ({
    value: read(policy, path),
    before: before && { value: read(before, path) },
    onChange: set(path),
  })
  const amount = (path: string, label: string) => <Amount label={label} symbol={symbol} {...member(path)} />
  const count = (path: string, label: string) => <Count label={label} {...member(path)} />
  const pays = (policy.effect ?? 'allow') === 'allow'
  const others = Object.keys(policy).filter((name) => !inForm.has(name))
  const [kept, keep] = useState<DraftPolicy>({})
  const answer = (effect: 'allow' | 'deny') => {
    if (effect === 'allow') return onChange({ budgets: before?.budgets ?? {}, ...kept, ...policy, effect })
    // A policy that refuses has none of what says how much is paid.
    const isOfPaying = ([name]: [string, unknown]) => ofPaying.has(name)
    keep(Object.fromEntries(Object.entries(policy).filter(isOfPaying)))
    onChange({ ...Object.fromEntries(Object.entries(policy).filter((entry) => !isOfPaying(entry))), effect })
  }
  return (
    <div className="grid">
      <Line title="Answer" hint="The first policy that matches pays. One that refuses always decides.">
        <Choice
          label="It"
          options={{ allow: 'pays', deny: 'refuses' }}
          value={pays ? 'allow' : 'deny'}
          onChange={answer}
        />
        <Field label="Description" hint="For operators.">
          {(control) => (
            <Input
              {...control}
              maxLength={500}
              value={String(policy.description ?? '')}
              onChange={(event) =>
                set('description')(event.target.value === '' ? undefined : event.target.value)
              }
            />
          )}
        </Field>
      </Line>
      <Line title="For" hint="Empty means everybody.">
        <Chips
          label="API keys"
          hint="A name; public: before that of a publishable key"
          {...list('apiKeys')}
        />
        <Chips label="Accounts" hint="An address" {...list('accounts')} />
        <Chips label="Users" hint="A username" {...list('users')} />
        {others.length > 0 && (
          <p className="text-muted text-sm">
            Only “As a file” shows and changes:{' '}
            {others.map((name) => `${name} ${JSON.stringify(policy[name])}`).join(', ')}.
          </p>
        )}
      </Line>
      <Line title="Networks" hint="None means all of them.">
        <div
          className={`flex flex-wrap gap-2 rounded-field ${list('networks').isChanged ? 'outline-2 outline-accent outline-offset-4' : ''}`}
        >
          {networks.map(({ network, name }) => {
            const isChosen = ofPolicy.includes(String(network))
            return (
              <label
                key={network}
                className="flex min-h-11 items-center gap-2 rounded-field border border-strong-line px-3 text-sm"
              >
                <input
                  type="checkbox"
                  className="size-4.5 accent-primary"
                  checked={isChosen}
                  onChange={() => {
                    const all = Array.isArray(policy.networks) ? (policy.networks as unknown[]) : []
                    const next = isChosen ? all.filter((one) => Number(one) !== network) : [...all, network]
                    set('networks')(next.length === 0 ? undefined : next)
                  }}
                />
                <NetworkMark chainId={network} name={name} className="size-4" />
                {name}
              </label>
            )
          })}
        </div>
      </Line>
      <Line title="Calls" hint="Every call of the operation must be one of these. None means any call.">
        <Rules
          rules={Array.isArray(policy.calls) ? (policy.calls as unknown[]) : []}
          isChanged={before !== undefined && !isSame(policy.calls, before.calls)}
          onChange={(next) => set('calls')(next.length === 0 ? undefined : next)}
        />
      </Line>
      {pays && policy.paymaster === undefined && (
        <Line title="Fees in a token" hint="With a token, the account pays. Empty means that you pay.">
          <div className="grid items-start gap-3 sm:grid-cols-2">
            <Text
              label="Token"
              hint="Its symbol, such as USDC"
              absent="none"
              {...member('charge.token')}
              onChange={(token) =>
                set('charge')(token === undefined ? undefined : { ...Object(policy.charge), token })
              }
            />
            {policy.charge !== undefined && (
              <>
                <Percent label="Markup, percent" {...member('charge.markup')} />
                <Text
                  label="Lowest price"
                  hint="Tokens for one coin, such as 1000"
                  absent="no bound"
                  {...member('charge.price.min')}
                />
                <Text
                  label="Highest price"
                  hint="Outside of these prices, no fees are taken"
                  absent="no bound"
                  {...member('charge.price.max')}
                />
              </>
            )}
          </div>
        </Line>
      )}
      {pays && (
        <Line title="Budget" hint="Empty means no limit. A limit for all together is needed.">
          <div className="grid items-start gap-3 sm:grid-cols-2">
            {amount('budgets.operation', 'One operation')}
            {amount('budgets.account.day.wei', 'One account, a day')}
            {amount('budgets.day.wei', 'All together, a day')}
            {amount('budgets.total.wei', 'All together, in total')}
          </div>
          <Details summary="More limits">
            <div className="grid items-start gap-3 sm:grid-cols-2">
              {count('budgets.day.operations', 'Operations together, a day')}
              {count('budgets.total.operations', 'Operations together, in total')}
              {count('budgets.account.day.operations', 'Operations of one account, a day')}
              {count('budgets.account.total.operations', 'Operations of one account, in total')}
              {amount('budgets.account.total.wei', 'One account, in total')}
              {amount('budgets.caller.day.wei', 'One caller, a day')}
              {amount('budgets.caller.total.wei', 'One caller, in total')}
              {count('budgets.caller.day.operations', 'Operations of one caller, a day')}
              {amount('budgets.apiKey.day.wei', 'One API key, a day')}
              {amount('budgets.apiKey.total.wei', 'One API key, in total')}
              {count('budgets.apiKey.day.operations', 'Operations of one API key, a day')}
              {count('callGas', 'Call gas of one operation')}
            </div>
          </Details>
          {policy.paymaster !== undefined && (
            <p className="text-muted text-sm">
              The paymaster of this policy in POLICIES_FILE pays. Only the file can change it.
            </p>
          )}
        </Line>
      )}
      <Line title="Time" hint="UTC. Empty means now, and without end.">
        <div className="grid items-start gap-3 sm:grid-cols-2">
          {(['validFrom', 'validUntil'] as const).map((path) => (
            <Field
              key={path}
              label={path === 'validFrom' ? 'Begins' : 'Ends'}
              hint={
                before && !isSame(policy[path], before[path])
                  ? `was ${toMinute(before[path]) || 'empty'}`
                  : undefined
              }
            >
              {(control) => (
                <Input
                  {...control}
                  type="datetime-local"
                  value={toMinute(policy[path])}
                  onChange={(event) =>
                    set(path)(event.target.value === '' ? undefined : `${event.target.value}:00Z`)
                  }
                />
              )}
            </Field>
          ))}
        </div>
      </Line>
    </div>
  )
}

/** As the control has it: UTC, to the minute. */
function toMinute(value: unknown): string {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 16)
}

function Line({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-3 border-line border-t p-4 md:grid-cols-[10.5rem_minmax(0,1fr)] md:gap-6">
      <legend className="sr-only">{title}</legend>
      <div className="grid content-start gap-0.5">
        <p aria-hidden="true" className="font-medium">
          {title}
        </p>
        <p className="text-muted text-sm">{hint}</p>
      </div>
      <div className="grid min-w-0 content-start gap-3">{children}</div>
    </fieldset>
  )
}

interface MemberProps {
  readonly label: string
  readonly value: unknown
  /** What is in force; undefined in a new policy. */
  readonly before: { readonly value: unknown } | undefined
  readonly onChange: (value: unknown) => void
}

const edge = (isChanged: boolean) => (isChanged ? 'border-accent outline-1 outline-accent' : '')

/** As an amount of the coin. What is none stays as it was typed, and the service refuses it. */
const toCoins = (value: unknown): string =>
  value === undefined ? '' : /^\d+$/.test(String(value)) ? formatEther(BigInt(String(value))) : String(value)

const isAmount = (text: string) => /^\d+(\.\d{1,18})?$/.test(text)

function Amount({ label, symbol, value, before, onChange }: MemberProps & { readonly symbol: string }) {
  const [typed, setTyped] = useState<string>()
  // Another policy, or the file, may have changed it meanwhile.
  const text = typed !== undefined && toValue(typed) === value ? typed : toCoins(value)
  const isChanged = before !== undefined && before.value !== value
  const was = before?.value === undefined ? 'no limit' : `${toCoins(before.value)} ${symbol}`
  return (
    <Field
      label={label}
      hint={isChanged ? `was ${was}` : undefined}
      error={text === '' || isAmount(text) ? undefined : 'An amount such as 0.05, with a point'}
    >
      {(control) => (
        <div className="relative">
          <Input
            {...control}
            inputMode="decimal"
            className={`pr-16 ${edge(isChanged)}`}
            value={text}
            onChange={(event) => {
              setTyped(event.target.value)
              onChange(toValue(event.target.value))
            }}
          />
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-3 grid place-items-center text-muted text-sm"
          >
            {symbol}
          </span>
        </div>
      )}
    </Field>
  )
}

function toValue(text: string): string | undefined {
  if (text === '') return undefined
  return isAmount(text) ? String(parseEther(text)) : `${text} ` // digits alone would be wei
}

function Count({ label, value, before, onChange }: MemberProps) {
  const isChanged = before !== undefined && before.value !== value
  return (
    <Field label={label} hint={isChanged ? `was ${String(before.value ?? 'no limit')}` : undefined}>
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          className={edge(isChanged)}
          value={String(value ?? '')}
          onChange={({ target: { value: text } }) =>
            onChange(text === '' ? undefined : /^\d{1,15}$/.test(text) ? Number(text) : text)
          }
        />
      )}
    </Field>
  )
}

function Text({
  label,
  hint,
  absent,
  value,
  before,
  onChange,
}: MemberProps & { readonly hint: string; readonly absent: string }) {
  const isChanged = before !== undefined && before.value !== value
  return (
    <Field label={label} hint={isChanged ? `was ${String(before.value ?? absent)}` : hint}>
      {(control) => (
        <Input
          {...control}
          className={edge(isChanged)}
          value={String(value ?? '')}
          onChange={({ target: { value: text } }) => onChange(text === '' ? undefined : text)}
        />
      )}
    </Field>
  )
}

/** What is no number stays as it was typed, and the service refuses it. */
function Percent({ label, value, before, onChange }: MemberProps) {
  const [typed, setTyped] = useState<string>()
  const text = typed !== undefined && toPercent(typed) === value ? typed : String(value ?? '')
  const isChanged = before !== undefined && before.value !== value
  return (
    <Field
      label={label}
      hint={isChanged ? `was ${String(before.value ?? 0)}` : 'Added to the price of the gas'}
    >
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          className={edge(isChanged)}
          value={text}
          onChange={(event) => {
            setTyped(event.target.value)
            onChange(toPercent(event.target.value))
          }}
        />
      )}
    </Field>
  )
}

function toPercent(text: string): number | string | undefined {
  if (text === '') return undefined
  return /^\d{1,3}(\.\d{1,2})?$/.test(text) ? Number(text) : text
}

interface ChipsProps {
  readonly label: string
  readonly hint: string
  readonly values: readonly string[]
  readonly isChanged: boolean
  readonly onChange: (next: readonly string[]) => void
}

/** A list of texts. Enter or a comma adds one, and so does a pasted list. */
function Chips({ label, hint, values, isChanged, onChange }: ChipsProps) {
  const [text, setText] = useState('')
  const add = () => {
    const added = text.split(/[\s,;]+/).filter((one) => one !== '' && !values.includes(one))
    if (added.length > 0) onChange([...values, ...new Set(added)])
    setText('')
  }
  return (
    <div className="grid gap-1.5">
      <Field label={label} hint={hint}>
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              className={edge(isChanged)}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onBlur={add}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                add()
              }}
            />
            <Button variant="secondary" size="icon" aria-label={`Add to ${label}`} onClick={add}>
              <Plus className="size-4" aria-hidden="true" />
            </Button>
          </div>
        )}
      </Field>
      {values.length > 0 && (
        <ul className="flex max-h-48 flex-wrap gap-2 overflow-y-auto" aria-label={label}>
          {values.map((one) => (
            <li key={one} className="flex min-w-0 items-center gap-1 rounded-field bg-sunken pl-3 text-sm">
              <span className="wrap-anywhere min-w-0">{one}</span>
              <Button
                variant="quiet"
                size="icon"
                aria-label={`Remove ${one}`}
                onClick={() => onChange(values.filter((other) => other !== one))}
              >
                <X className="size-4" aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Rules({
  rules,
  isChanged,
  onChange,
}: {
  rules: readonly unknown[]
  isChanged: boolean
  onChange: (next: readonly unknown[]) => void
}) {
  const id = useId()
  const replace = (index: number, path: string, value: unknown) =>
    onChange(rules.map((rule, at) => (at === index ? write(rule, path, value) : rule)))
  return (
    <div className="grid gap-3">
      {rules.map((rule, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: rules can be equal, and only their fields change
          key={`${id} ${index}`}
          className={`grid gap-2 rounded-field border border-line p-3 ${edge(isChanged)}`}
        >
          <Field label={`Contract of rule ${index + 1}`} hint="Empty means any contract">
            {(control) => (
              <Input
                {...control}
                placeholder="0x…"
                value={String(read(rule, 'contract') ?? '')}
                onChange={({ target: { value } }) =>
                  replace(index, 'contract', value === '' ? undefined : value)
                }
              />
            )}
          </Field>
          <Field
            label={`Functions of rule ${index + 1}`}
            hint="One a line, such as transfer(address,uint256); 0x is a plain transfer. Empty means any function"
          >
            {(control) => (
              <Textarea
                {...control}
                rows={2}
                spellCheck={false}
                className="font-mono text-sm"
                value={texts(read(rule, 'functions')).join('\n')}
                onChange={({ target: { value } }) =>
                  replace(index, 'functions', value === '' ? undefined : value.split('\n'))
                }
              />
            )}
          </Field>
          <div>
            <Button
              variant="quiet"
              size="small"
              onClick={() => onChange(rules.filter((_, at) => at !== index))}
            >
              Remove rule {index + 1}
            </Button>
          </div>
        </div>
      ))}
      <div>
        <Button variant="secondary" size="small" onClick={() => onChange([...rules, {}])}>
          <Plus className="size-4" aria-hidden="true" />
          Call
        </Button>
      </div>
    </div>
  )
}
