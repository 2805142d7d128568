import { Field, Input, Textarea } from '@lanyard/ui'
import { parseFunctionSignature } from '../../calls/encode-call.ts'
import { t } from '../../i18n/t.ts'
import type { Draft, DraftErrors } from './draft.ts'

interface ContractCallFieldsProps {
  readonly draft: Draft
  readonly errors: DraftErrors
  readonly onChange: (change: Partial<Draft>) => void
}

/** Any call, entered as a function with arguments or as bytes. */
export function ContractCallFields({ draft, errors, onChange }: ContractCallFieldsProps) {
  const parsed = parseFunctionSignature(draft.signature)
  const inputs = parsed.ok ? parsed.abi.inputs : []
  return (
    <div className="grid gap-4">
      <Field
        label={t('Function')}
        error={errors.signature}
        hint={t('As in the contract’s documentation. Leave it empty to enter call data.')}
      >
        {(control) => (
          <Input
            {...control}
            className="font-mono text-sm"
            value={draft.signature}
            placeholder={t('transfer(address,uint256)')}
            onChange={(event) => onChange({ signature: event.target.value })}
          />
        )}
      </Field>
      {inputs.map((input, index) => (
        <Field
          // biome-ignore lint/suspicious/noArrayIndexKey: arguments are known by their position
          key={index}
          label={`${input.name || t('Argument {index}', { index: index + 1 })} (${input.type})`}
          error={errors[`arg${index}`]}
        >
          {(control) => (
            <Input
              {...control}
              className="font-mono text-sm"
              value={draft.args[index] ?? ''}
              onChange={(event) =>
                onChange({
                  args: inputs.map((_, at) => (at === index ? event.target.value : (draft.args[at] ?? ''))),
                })
              }
            />
          )}
        </Field>
      ))}
      {draft.signature.trim() === '' && (
        <Field label={t('Call data')} error={errors.data}>
          {(control) => (
            <Textarea
              {...control}
              className="font-mono text-sm"
              value={draft.data}
              placeholder="0x"
              onChange={(event) => onChange({ data: event.target.value })}
            />
          )}
        </Field>
      )}
    </div>
  )
}
