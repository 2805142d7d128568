import { Button, Field, Input, useStoredDraft } from '@lanyard/ui'
import { type FormEvent, useState } from 'react'
import { isAddressEqual } from 'viem'
import { t } from '../../i18n/t.ts'
import { parseAddress } from '../../recipients/recipient.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import type { OwnerAddition } from '../signer-kind.ts'
import { ProveRecoveryKey } from './prove-recovery-key.tsx'
import { type RecoveryChallenge, recoveryChallenge } from './recovery-proof.ts'

interface RecoveryDraft {
  readonly address: string
  /** Stored, so that a signature made on another device in the meantime still matches. */
  readonly challenge?: RecoveryChallenge | undefined
}

/**
 * Adds an ordinary account as a second owner: a recovery path that needs neither this service nor its web
 * address.
 */
export function AddRecoveryAddress({ onChange }: { onChange: (change: OwnerAddition) => void }) {
  const { account } = useSession()
  const { draft, change, forget } = useStoredDraft<RecoveryDraft>(`recovery.${account}`, { address: '' })
  const [error, setError] = useState<string>()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = parseAddress(draft.address)
    if (!parsed.ok) return setError(parsed.message)
    if (isAddressEqual(parsed.address, account))
      return setError(t('This is your account’s own address. An account cannot own itself.'))
    change({ challenge: recoveryChallenge(parsed.address, account) })
  }
  const { challenge } = draft
  if (challenge)
    return (
      <ProveRecoveryKey
        challenge={challenge}
        onProven={(consent) => {
          forget()
          onChange({ kind: 'add', candidate: { kind: 'eoa', address: challenge.address, consent } })
        }}
        onBack={() => change({ challenge: undefined })}
      />
    )
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <p className="text-muted text-sm">
        {t(
          'The address of a hardware wallet, or of another key that you keep somewhere else. It works even if this service is gone. Whoever holds its key can spend everything.',
        )}
      </p>
      <Field label={t('Recovery address')} error={error}>
        {(control) => (
          <Input
            {...control}
            className="font-mono text-sm"
            autoCapitalize="none"
            value={draft.address}
            placeholder="0x…"
            onChange={(event) => {
              change({ address: event.target.value })
              setError(undefined)
            }}
          />
        )}
      </Field>
      <Button type="submit" className="justify-self-start">
        {t('Continue')}
      </Button>
    </form>
  )
}
