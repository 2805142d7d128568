import { Button } from '@lanyard/ui'
import { Plus } from 'lucide-react'
import { nativeOf } from '../../amounts/currency.ts'
import { t } from '../../i18n/t.ts'
import type { CallDraft, SessionDraft, SessionDraftErrors } from '../../session-keys/session-draft.ts'
import type { SessionKeysNetwork } from '../../session-keys/session-keys-network.ts'
import { AllowanceFields } from './allowance-fields.tsx'
import { CallFields } from './call-fields.tsx'

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
