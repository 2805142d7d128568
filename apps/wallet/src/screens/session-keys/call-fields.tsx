import { Button, Field, Input, Textarea } from '@lanyard/ui'
import { AmountInput } from '../../amounts/amount-input.tsx'
import { rich, t } from '../../i18n/t.ts'
import type { CallDraft } from '../../session-keys/session-draft.ts'

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
export function CallFields({ number, symbol, draft, errors, onChange, onRemove }: CallFieldsProps) {
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
