import { nativeOf } from '@lanyard/calls'
import { Button, Field, Input, Textarea } from '@lanyard/ui'
import { Plus } from 'lucide-react'
import { AmountInput } from '../../amounts/amount-input.tsx'
import { rich, t } from '../../i18n/t.ts'
import type { CallDraft, SessionDraft, SessionDraftErrors } from '../../session-keys/session-draft.ts'
import type { SessionKeysNetwork } from '../../session-keys/use-sessions.ts'
import { AllowanceFields } from './allowance-fields.tsx'

const named = { value: 'named', label: t('Only the addresses below') } as const
const anyone = { value: 'anyone', label: t('Anyone') } as const
const nobody = { value: 'nobody', label: t('Nobody, only the calls below') } as const

interface GrantPermissionsProps {
  readonly network: SessionKeysNetwork
  readonly draft: SessionDraft
  readonly errors: SessionDraftErrors
  readonly onChange: (change: Partial<SessionDraft>) => void
}

/** The permissions of the session. */
export function GrantPermissions({ network, draft, errors, onChange }: GrantPermissionsProps) {
  const token = network.currencies.find((currency) => currency.token !== undefined)
  const native = nativeOf(network.currencies)
  const { calls } = draft
  const setCall = (call: CallDraft) =>
    onChange({ calls: calls.map((other) => (other.id === call.id ? call : other)) })
  const addCall = () => {
    const id = Math.max(0, ...calls.map((call) => call.id)) + 1
    onChange({ calls: [...calls, { id, target: '', functions: '', maxValue: '' }] })
  }
  return (
    <section aria-labelledby="may" className="grid gap-3">
      <h3 id="may" className="font-medium">
        {t('It may')}
      </h3>
      {token && (
        <AllowanceFields
          symbol={token.symbol}
          draft={draft.token}
          errors={{ amount: errors['token.amount'], recipients: errors['token.recipients'] }}
          onChange={(allowance) => onChange({ token: allowance })}
          reaches={[named, anyone]}
        />
      )}
      <AllowanceFields
        symbol={native.symbol}
        draft={draft.native}
        errors={{ amount: errors['native.amount'], recipients: errors['native.recipients'] }}
        onChange={(allowance) => onChange({ native: allowance })}
        reaches={[named, anyone, nobody]}
      />
      {calls.map((call, index) => (
        <CallFields
          key={call.id}
          number={index + 1}
          symbol={native.symbol}
          draft={call}
          errors={{
            target: errors[`call${index}.target`],
            functions: errors[`call${index}.functions`],
            maxValue: errors[`call${index}.maxValue`],
          }}
          onChange={setCall}
          onRemove={() => onChange({ calls: calls.filter(({ id }) => id !== call.id) })}
        />
      ))}
      <Button variant="secondary" size="small" className="justify-self-start" onClick={addCall}>
        <Plus className="size-4" aria-hidden="true" />
        {t('Call a contract')}
      </Button>
    </section>
  )
}

interface CallFieldsProps {
  /** The contract's position in the list, from 1. */
  readonly number: number
  /** The native currency, which a call can carry. */
  readonly symbol: string
  readonly draft: CallDraft
  readonly errors: Record<'target' | 'functions' | 'maxValue', string | undefined>
  readonly onChange: (draft: CallDraft) => void
  readonly onRemove: () => void
}

/** The functions of one contract that the session may call. */
function CallFields({ number, symbol, draft, errors, onChange, onRemove }: CallFieldsProps) {
  const change = (next: Partial<CallDraft>) => onChange({ ...draft, ...next })
  return (
    <fieldset className="grid min-w-0 gap-4 rounded-field border border-line p-4">
      <legend className="sr-only">{rich('Contract {number}', { number })}</legend>
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <p className="font-medium">{rich('Call contract {number}', { number })}</p>
        <Button
          variant="quiet"
          size="small"
          aria-label={t('Remove contract {number}', { number })}
          onClick={onRemove}
        >
          {t('Remove')}
        </Button>
      </div>
      <Field label={t('Address of contract {number}', { number })} error={errors.target}>
        {(control) => (
          <Input
            {...control}
            className="font-mono text-sm"
            value={draft.target}
            placeholder="0x…"
            onChange={(event) => change({ target: event.target.value })}
          />
        )}
      </Field>
      <Field
        label={t('Functions of contract {number}', { number })}
        error={errors.functions}
        hint={t('One per line, with any arguments. No allowance limits what they move.')}
      >
        {(control) => (
          <Textarea
            {...control}
            className="font-mono text-sm"
            value={draft.functions}
            placeholder={t('mint(address,uint256)')}
            onChange={(event) => change({ functions: event.target.value })}
          />
        )}
      </Field>
      <AmountInput
        label={t('{symbol} with each call of contract {number}, at most', { symbol, number })}
        symbol={symbol}
        value={draft.maxValue}
        hint={t('Leave empty for none.')}
        error={errors.maxValue}
        onChange={(maxValue) => change({ maxValue })}
      />
    </fieldset>
  )
}
