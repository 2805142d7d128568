import { type GuardianSet, guardianBounds, noGuardians, toGuardianSet } from '@lanyard/accounts'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type Address, isAddressEqual } from 'viem'
import {
  delayDays,
  delayText,
  emptyGuardianDraft,
  type GuardianDraft,
  thresholdOf,
} from '../../guardians/guardian-draft.ts'
import { invitationLink, readAnswer } from '../../guardians/invitation.ts'
import { rich, t } from '../../i18n/t.ts'
import { rememberRecipient } from '../../recipients/known-recipients.ts'
import { type Recipient, readRecipient } from '../../recipients/recipient.ts'
import { RecipientField } from '../../recipients/recipient-field.tsx'
import { nobodyText, useRecipientLookup } from '../../recipients/use-recipient-lookup.ts'
import { useRecipientNames } from '../../recipients/use-recipient-names.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Details } from '../../ui/details.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { FullAddress } from '../../ui/full-address.tsx'
import { Identicon } from '../../ui/identicon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { shortAddress } from '../../ui/short-address.ts'
import { useStoredDraft } from '../../ui/use-stored-draft.ts'

interface GuardianFormProps {
  /** The guardians in force. */
  readonly current: GuardianSet | undefined
  readonly busy: boolean
  readonly error: Error | null
  readonly onChange: () => void
  readonly onSave: (guardians: GuardianSet) => void
  readonly onCancel: (() => void) | undefined
}

/** Chooses guardians: add each, then sign once. Threshold and delay have defaults that most people keep. */
export function GuardianForm({ current, busy, error, onChange, onSave, onCancel }: GuardianFormProps) {
  const { account } = useSession()
  const names = useRecipientNames()
  const { draft, change, forget } = useStoredDraft<GuardianDraft>(
    `guardians.${account}`,
    current
      ? { members: current.members, threshold: String(current.threshold), delay: String(current.delay) }
      : emptyGuardianDraft,
  )
  const [missing, setMissing] = useState(false)
  const { members } = draft
  const threshold = thresholdOf(draft)
  const edit = (changed: Partial<GuardianDraft>) => {
    change(changed)
    setMissing(false)
    onChange()
  }
  const isFull = members.length >= guardianBounds.members
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (members.length === 0) return setMissing(true)
    if (busy) return
    forget()
    onSave(toGuardianSet({ members, threshold, delay: Number(draft.delay) }))
  }
  return (
    <Card aria-labelledby="choose-guardians" className="grid gap-5 p-5">
      <h2 id="choose-guardians" className="font-semibold text-lg">
        {current ? t('Change guardians') : t('Protect your account')}
      </h2>
      {!isFull && (
        <AddGuardian
          members={members}
          missing={missing}
          onAdd={(address) => edit({ members: [...members, address] })}
        />
      )}
      {members.length > 0 && (
        <ul className="divide-y divide-line border-line border-y" aria-label={t('Chosen guardians')}>
          {members.map((address) => {
            const name = names.get(address.toLowerCase())
            return (
              <li key={address} className="flex flex-wrap items-center gap-3 py-2.5">
                <Identicon address={address} />
                <span className="grid min-w-0 flex-1">
                  {name && <span className="truncate font-medium">{name}</span>}
                  <FullAddress address={address} />
                </span>
                <Button
                  variant="quiet"
                  size="small"
                  aria-label={t('Remove guardian {name}', { name: name ?? shortAddress(address) })}
                  onClick={() => edit({ members: members.filter((other) => other !== address) })}
                >
                  {t('Remove')}
                </Button>
              </li>
            )
          })}
        </ul>
      )}
      <form onSubmit={submit} className="grid gap-5" noValidate>
        {members.length > 0 && (
          <>
            <Field
              label={t('How many must agree')}
              hint={
                threshold === members.length && members.length > 1
                  ? t('If one of them cannot be reached, nobody can recover your account.')
                  : threshold === 1 && members.length > 1
                    ? t('Any one of them can start a recovery. You have the delay to cancel it.')
                    : undefined
              }
            >
              {(control) => (
                <Select
                  {...control}
                  value={String(threshold)}
                  onChange={({ target: { value } }) => edit({ threshold: value })}
                >
                  {members.map((address, index) => (
                    <option key={address} value={index + 1}>
                      {t('{threshold} of {count}', { threshold: index + 1, count: members.length })}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field
              label={t('Delay')}
              hint={t(
                'This is your time to cancel a recovery that you did not ask for. You wait as long for your own.',
              )}
            >
              {(control) => (
                <Select
                  {...control}
                  value={draft.delay}
                  onChange={({ target: { value } }) => edit({ delay: value })}
                >
                  {delayDays.map((days) => (
                    <option key={days} value={days * 86_400}>
                      {delayText(days * 86_400)}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <p className="text-muted text-sm">
              {rich(
                'Your passkey signs once, for all networks: {threshold} of these {count}, after {delay}.',
                {
                  threshold,
                  count: members.length,
                  delay: delayText(Number(draft.delay)),
                },
              )}
            </p>
          </>
        )}
        {error && <ErrorNotice error={error} />}
        <div className="grid gap-2.5 sm:flex">
          <Button type="submit" size="large" busy={busy}>
            {!busy && <KeyRound className="size-5" aria-hidden="true" />}
            {busy ? t('Waiting for your passkey…') : t('Sign with passkey')}
          </Button>
          {onCancel && (
            <Button size="large" variant="secondary" onClick={onCancel}>
              {t('Cancel')}
            </Button>
          )}
        </div>
      </form>
      {current && (
        <Button
          variant="danger"
          size="small"
          className="justify-self-start"
          onClick={() => {
            forget()
            onSave(noGuardians)
          }}
        >
          {t('Remove all guardians')}
        </Button>
      )}
    </Card>
  )
}

interface AddGuardianProps {
  readonly members: readonly Address[]
  /** True after an attempt to sign without guardians. */
  readonly missing: boolean
  readonly onAdd: (address: Address) => void
}

/** Adds one guardian: by link, address, contact or username. */
function AddGuardian({ members, missing, onAdd }: AddGuardianProps) {
  const { account, username } = useSession()
  const place = useLocation()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Recipient>()
  const [error, setError] = useState<string>()
  const lookup = useRecipientLookup()
  const add = ({ address, username: name }: Recipient) => {
    if (isAddressEqual(address, account)) return setError(t('Your own account cannot recover itself.'))
    if (members.some((member) => isAddressEqual(member, address)))
      return setError(t('This guardian is already in the list.'))
    if (name) rememberRecipient(account, { address, username: name })
    setText('')
    setChosen(undefined)
    onAdd(address)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = readRecipient(text)
    if (chosen) return add(chosen)
    if (typed.kind === 'wrong') return setError(typed.message)
    if (typed.kind === 'address') return add(typed)
    lookup.mutate(typed.name, {
      onSuccess: (found) => (found ? add(found) : setError(nobodyText(typed.name))),
    })
  }
  const invitation = invitationLink({ account, name: username })
  const answer = readAnswer(place)
  const close = () => void navigate({ search: '', hash: '' }, { replace: true })
  return (
    <form onSubmit={submit} className="grid gap-3" noValidate>
      {answer && (
        <Notice
          title={t('Somebody answered your invitation.')}
          action={
            <div className="flex flex-wrap gap-2.5">
              <Button
                size="small"
                onClick={() => {
                  close()
                  add({ address: answer })
                }}
              >
                {t('Add this guardian')}
              </Button>
              <Button size="small" variant="secondary" onClick={close}>
                {t('Ignore')}
              </Button>
            </div>
          }
        >
          <FullAddress address={answer} />
          <p>{t('A link can come from anyone. Ask the person by phone whether this address is theirs.')}</p>
        </Notice>
      )}
      <RecipientField
        label={t('Guardian')}
        text={text}
        chosen={chosen}
        error={error ?? (missing ? t('Add at least one guardian.') : undefined)}
        onChange={({ recipient, chosen: next }) => {
          setText(recipient)
          setChosen(next)
          setError(undefined)
          lookup.reset()
        }}
      />
      {lookup.error && <ErrorNotice error={lookup.error} />}
      <Button type="submit" variant="secondary" className="justify-self-start" busy={lookup.isPending}>
        {t('Add guardian')}
      </Button>
      <Details summary={t('Invite by link')}>
        <p className="mb-2 text-muted text-sm">
          {t('Send this link. The person chooses an address, and sends you a link back.')}
        </p>
        <div className="flex flex-wrap items-center gap-3 rounded-field bg-sunken p-3">
          <code className="min-w-0 flex-1 break-all font-mono text-xs">{invitation}</code>
          <CopyButton text={invitation} label={t('Copy the link')} />
        </div>
      </Details>
    </form>
  )
}
