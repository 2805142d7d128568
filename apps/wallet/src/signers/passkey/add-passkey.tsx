import { ceremonyBody, passkeyOwner } from '@lanyard/client'
import { Button, Field, Input, useStoredDraft } from '@lanyard/ui'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { trpc } from '../../api/trpc.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { WalletError } from '../../errors/wallet-error.ts'
import { rich, t } from '../../i18n/t.ts'
import { createPasskey } from '../../passkey/ceremonies.ts'
import { rememberPasskey } from '../../sign-in/known-passkey.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import type { OwnerAddition, OwnerCandidate } from '../signer-kind.ts'

/** Adds a passkey on a second device or security key. */
export function AddPasskey({ onChange }: { onChange: (change: OwnerAddition) => void }) {
  const { account } = useSession()
  const { draft, change, forget } = useStoredDraft(`passkey.${account}`, { label: '' })
  const [missing, setMissing] = useState(false)
  const ceremony = useMutation({
    mutationFn: addPasskey,
    onSuccess: (candidate) => {
      forget()
      onChange({ kind: 'add', candidate })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const label = draft.label.trim()
    if (label === '') setMissing(true)
    else if (!ceremony.isPending) ceremony.mutate(label)
  }
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <p className="text-muted text-sm">
        {rich(
          'A passkey on another phone or a security key. It helps when you lose this device. Like the first, it works only at {hostname}.',
          { hostname: location.hostname },
        )}
      </p>
      <Field
        label={t('Name')}
        hint={t('So that you recognize it later.')}
        error={missing ? t('Enter a name first.') : undefined}
      >
        {(control) => (
          <Input
            {...control}
            value={draft.label}
            maxLength={64}
            placeholder={t('Security key in the drawer')}
            onChange={(event) => {
              change({ label: event.target.value })
              setMissing(false)
            }}
          />
        )}
      </Field>
      {ceremony.error && <ErrorNotice error={ceremony.error} undone={t('No passkey was created.')} />}
      <Button type="submit" className="justify-self-start" busy={ceremony.isPending}>
        {ceremony.isPending ? t('Waiting for the passkey…') : t('Create a passkey')}
      </Button>
    </form>
  )
}

/**
 * Creates another passkey for the signed-in user. It owns nothing until its owner change is signed on each
 * network.
 *
 * @param label - the person's name for it
 * @throws WalletError NOT_VERIFIABLE if the browser does not report the public key; errors of the ceremony
 * and the service
 */
async function addPasskey(label: string): Promise<OwnerCandidate> {
  const options = await trpc.webauthn.credentialOptions.query({})
  const response = await createPasskey(options)
  const owner = passkeyOwner(response)
  if (!owner) throw new WalletError('NOT_VERIFIABLE')
  const { credentialId } = await trpc.webauthn.credentialVerify.mutate({ ...ceremonyBody(response), label })
  rememberPasskey(response.id, owner)
  return { ...owner, credentialId }
}
