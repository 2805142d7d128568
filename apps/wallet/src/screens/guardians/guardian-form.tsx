import { type GuardianSet, guardianBounds, noGuardians, toGuardianSet } from '@lanyard/accounts'
import {
  Button,
  Card,
  Field,
  FullAddress,
  Identicon,
  Select,
  shortAddress,
  useStoredDraft,
} from '@lanyard/ui'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useGuardianNames } from '../../guardians/guardian.ts'
import {
  answersOf,
  delayDays,
  delayText,
  emptyGuardianDraft,
  type GuardianDraft,
  thresholdOf,
  toDraftAnswer,
} from '../../guardians/guardian-draft.ts'
import type { GuardianAnswer } from '../../guardians/invitation.ts'
import { rich, t } from '../../i18n/t.ts'
import { useRecipientNames } from '../../recipients/known-recipients.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { AddGuardian } from './add-guardian.tsx'
import { ThresholdAdvice } from './threshold-advice.tsx'

interface GuardianFormProps {
  /** The guardians in force. */
  readonly current: GuardianSet | undefined
  readonly busy: boolean
  readonly error: Error | null
  readonly onChange: () => void
  readonly onSave: (guardians: GuardianSet, answers: readonly GuardianAnswer[]) => void
  readonly onCancel: (() => void) | undefined
}

/** Chooses guardians: add each, then sign once. Threshold and delay have defaults that most people keep. */
export function GuardianForm({ current, busy, error, onChange, onSave, onCancel }: GuardianFormProps) {
  const { account } = useSession()
  const names = useRecipientNames()
  const overview = useGuardianNames()
  const { draft, change, forget } = useStoredDraft<GuardianDraft>(
    `guardians.${account}`,
    current
      ? { members: current.members, threshold: String(current.threshold), delay: String(current.delay) }
      : emptyGuardianDraft,
  )
  const [missing, setMissing] = useState(false)
  const [isUnderstood, setUnderstood] = useState(false)
  const [isUnread, setUnread] = useState(false)
  const { members } = draft
  const threshold = thresholdOf(draft)
  const edit = (changed: Partial<GuardianDraft>) => {
    change(changed)
    setMissing(false)
    setUnderstood(false)
    setUnread(false)
    onChange()
  }
  const isFull = members.length >= guardianBounds.members
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (members.length === 0) return setMissing(true)
    if (threshold === 1 && !isUnderstood) return setUnread(true)
    if (busy) return
    forget()
    onSave(toGuardianSet({ members, threshold, delay: Number(draft.delay) }), answersOf(draft))
  }
  return (
    <Card aria-labelledby="choose-guardians" className="grid gap-5 p-5">
      <h2 id="choose-guardians" className="font-semibold text-lg">
        {current ? t('Change guardians') : t('Protect your account')}
      </h2>
      {!current && (
        <p className="text-muted text-sm">
          {t('People you trust who can give you your account back if you lose every passkey.')}
        </p>
      )}
      {!isFull && (
        <AddGuardian
          members={members}
          missing={missing}
          onAdd={(address, { username, answer }) =>
            edit({
              members: [...members, address],
              ...(username && { names: { ...draft.names, [address]: username } }),
              ...(answer && { answers: [...(draft.answers ?? []), toDraftAnswer(answer)] }),
            })
          }
        />
      )}
      {members.length > 0 && (
        <ul className="divide-y divide-line border-line border-y" aria-label={t('Chosen guardians')}>
          {members.map((address) => {
            const name =
              draft.names?.[address] ??
              overview?.get(address.toLowerCase()) ??
              names.get(address.toLowerCase())
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
            <Field label={t('How many must agree')}>
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
              {members.length === 1
                ? rich('Your passkey signs once, for all networks: this one guardian, after {delay}.', {
                    delay: delayText(Number(draft.delay)),
                  })
                : rich(
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
        {members.length > 0 && (
          <ThresholdAdvice
            members={members.length}
            threshold={threshold}
            isUnderstood={isUnderstood}
            isUnread={isUnread}
            onUnderstand={(next) => {
              setUnderstood(next)
              setUnread(false)
            }}
          />
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
          variant="secondary"
          size="small"
          className="justify-self-start"
          onClick={() => {
            forget()
            onSave(noGuardians, [])
          }}
        >
          {t('Remove all guardians')}
        </Button>
      )}
    </Card>
  )
}
