import { Button, Card, CopyButton, Field, Input, ListSkeleton, logins, Notice, Screen } from '@lanyard/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Hex } from 'viem'
import { trpc } from '../../api/trpc.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { delayText } from '../../guardians/guardian-draft.ts'
import { rich, t } from '../../i18n/t.ts'
import { LoginButtons } from '../../login/login-buttons.tsx'
import { beginLogin } from '../../login/login-flow.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { beginRecovery, finishRecovery } from '../../recovery/begin-recovery.ts'
import {
  type PendingRecovery,
  readPendingRecovery,
  recoveryLink,
  storePendingRecovery,
} from '../../recovery/recovery-link.ts'
import { isCancelled, recoveryTo, useRecovery } from '../../recovery/use-recovery.ts'
import { lastUsername } from '../../sign-in/known-account.ts'
import { useSessionState } from '../../sign-in/session-context.tsx'
import { endingText, RecoveryProgress } from './recovery-progress.tsx'
import { SpokenWordsList } from './spoken-words-list.tsx'

/** Recovers an account on a new device with nothing but its username: guardians make a new passkey the owner. */
export function RecoverScreen() {
  const [pending, setPending] = useState(readPendingRecovery)
  return (
    <Screen
      title={t('Recover your account')}
      narrow
      intro={t('You lost every passkey. Your guardians can make a new one the owner of your account.')}
    >
      {pending ? (
        <Waiting
          pending={pending}
          onForget={() => {
            storePendingRecovery(undefined)
            setPending(undefined)
          }}
        />
      ) : (
        <Begin onBegun={setPending} />
      )}
    </Screen>
  )
}

function Begin({ onBegun }: { onBegun: (pending: PendingRecovery) => void }) {
  const [username, setUsername] = useState(() => lastUsername() ?? '')
  const [missing, setMissing] = useState(false)
  const look = useMutation({
    mutationFn: (name: string) => trpc.recovery.status.query({ account: name }),
  })
  const begin = useMutation({
    mutationFn: () => {
      if (!look.data) throw new TypeError('an account was found')
      return beginRecovery(look.data, look.data.username ?? username.trim())
    },
    onSuccess: onBegun,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (username.trim() === '') setMissing(true)
    else if (!look.isPending) look.mutate(username.trim())
  }
  const guardians = look.data?.guardians
  return (
    <Card aria-labelledby="who" className="grid gap-5 p-5">
      <h2 id="who" className="font-semibold">
        {t('Which account?')}
      </h2>
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <Field label={t('Username')} error={missing ? t('Enter your username first.') : undefined}>
          {(control) => (
            <Input
              {...control}
              value={username}
              autoComplete="username"
              autoCapitalize="none"
              maxLength={64}
              onChange={(event) => {
                setUsername(event.target.value)
                setMissing(false)
                look.reset()
                begin.reset()
              }}
            />
          )}
        </Field>
        {look.error && <ErrorNotice error={look.error} />}
        {!guardians && (
          <Button type="submit" className="justify-self-start" busy={look.isPending}>
            {t('Continue')}
          </Button>
        )}
      </form>
      {look.data && !guardians && (
        <Notice tone="warning" title={t('This account has no guardians.')}>
          {t(
            'Another owner can still help: sign in with a second passkey, or open the recovery page with your recovery key.',
          )}
        </Notice>
      )}
      {guardians && (
        <>
          <p className="text-sm">
            {guardians.members.length === 1
              ? t('The guardian must sign. After that, an owner has {delay} to cancel.', {
                  delay: delayText(guardians.delay),
                })
              : t('{threshold} of {count} guardians must sign. After that, an owner has {delay} to cancel.', {
                  threshold: guardians.threshold,
                  count: guardians.members.length,
                  delay: delayText(guardians.delay),
                })}
          </p>
          {begin.error && <ErrorNotice error={begin.error} undone={t('No passkey was created.')} />}
          <Button size="large" busy={begin.isPending} onClick={() => begin.mutate()}>
            {!begin.isPending && <KeyRound className="size-5" aria-hidden="true" />}
            {begin.isPending ? t('Waiting for the passkey…') : t('Create a new passkey')}
          </Button>
        </>
      )}
    </Card>
  )
}

/** With a login, guardians see the request beside the link, and so does the owner if there is one. */
function AskWithLogin({ pending }: { pending: PendingRecovery }) {
  const { account, newOwner } = pending
  const { state } = useLocation()
  if (logins.length === 0) return null
  if (Object(state).byLogin === true)
    return (
      <Notice title={t('Your login has asked.')}>
        {t('Your guardians see it at the link. Send them the link all the same, and call them.')}
      </Notice>
    )
  return (
    <div className="grid gap-3 border-line border-t pt-4">
      <p className="text-muted text-sm">
        {t(
          'Is a login linked to this account? With it, your guardians also see that somebody with your login asks. They still call you.',
        )}
      </p>
      <LoginButtons
        label={({ name }) => t('Ask with {name}', { name })}
        onBegin={({ issuer }) =>
          beginLogin(issuer, { kind: 'ask-guardians' }, { act: 'ask-guardians', account, newOwner })
        }
      />
    </div>
  )
}

function Waiting({ pending, onForget }: { pending: PendingRecovery; onForget: () => void }) {
  const networks = useNetworks()
  const status = useRecovery(pending.account)
  const { signIn } = useSessionState()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const finish = useMutation({
    mutationFn: finishRecovery,
    onSuccess: (session) => {
      signIn(session)
      void navigate('/')
    },
  })
  const recovery = status.data && recoveryTo(status.data, pending)
  const carryOn = useMutation({
    mutationFn: (messageToSign: Hex) =>
      trpc.recovery.execute.mutate({ account: pending.account, messageToSign }),
    onSuccess: (next) => queryClient.setQueryData(['recovery', pending.account], next),
  })
  const isReady = recovery?.networks.some(({ state }) => state === 'ready') ?? false
  const hasEnded = recovery !== undefined && isCancelled(recovery)
  const isBegun = recovery?.networks.some(({ state }) => state === 'executed') ?? false
  const isDone = recovery?.networks.every(({ state }) => state === 'executed') ?? false
  const goesOn = recovery?.networks.some(({ state }) => state !== 'executed' && state !== 'cancelled') ?? true
  const isCollecting = !recovery || recovery.networks.some(({ state }) => state === 'collecting')
  const link = recoveryLink(pending)
  return (
    <>
      {isBegun ? (
        <Card aria-labelledby="done" className="grid gap-4 p-5">
          <h2 id="done" className="font-semibold text-lg">
            {isDone ? t('Your account is yours again.') : t('Your account is yours again on some networks.')}
          </h2>
          <p className="text-muted text-sm">
            {isDone
              ? t('Your new passkey is its only owner. Session keys have ended.')
              : goesOn
                ? t(
                    'Your new passkey is its only owner where it says “Done”. The service continues on the others.',
                  )
                : t(
                    'Your new passkey is its only owner where it says “Done”. On the others, this recovery has ended.',
                  )}
          </p>
          <p className="text-muted text-sm">
            {t(
              'Once you are signed in, Protection shows what an earlier owner may have left in the account. Check in an explorer which contracts may still spend your tokens.',
            )}
          </p>
          {finish.error && <ErrorNotice error={finish.error} undone={t('You are not signed in.')} />}
          <Button size="large" busy={finish.isPending} onClick={() => finish.mutate(pending)}>
            {!finish.isPending && <KeyRound className="size-5" aria-hidden="true" />}
            {finish.isPending ? t('Waiting for your passkey…') : t('Sign in with the new passkey')}
          </Button>
        </Card>
      ) : (
        isCollecting && (
          <Card aria-labelledby="ask" className="grid gap-4 p-5">
            <h2 id="ask" className="font-semibold text-lg">
              {t('Ask your guardians')}
            </h2>
            <ol className="grid list-decimal gap-1.5 pl-5 text-sm">
              <li>{t('Send each of them this link.')}</li>
              <li>{t('Call each of them, and read out these six words. They see the same words.')}</li>
              <li>{t('Keep this device: the new passkey is on it.')}</li>
            </ol>
            <div className="flex flex-wrap items-center gap-3 rounded-field bg-sunken p-3">
              <code className="min-w-0 flex-1 break-all font-mono text-xs">{link}</code>
              <CopyButton text={link} label={t('Copy the link')} />
            </div>
            <SpokenWordsList request={pending} />
            <AskWithLogin pending={pending} />
          </Card>
        )
      )}
      {status.data && recovery && hasEnded && (
        <Notice tone="warning" title={t('This recovery has ended.')}>
          {endingText(status.data, recovery)}{' '}
          {t(
            'Your guardians cannot use their link any more. If you still need your account, start again and send them another one.',
          )}
        </Notice>
      )}
      <Card aria-labelledby="progress" className="grid gap-3 p-5">
        <h2 id="progress" className="font-semibold">
          {rich('Recovery of {username}', { username: pending.username })}
        </h2>
        {status.error && !status.data ? (
          <ErrorNotice error={status.error} onRetry={() => void status.refetch()} />
        ) : !status.data || !networks.data ? (
          <ListSkeleton label={t('Loading the recovery')} />
        ) : recovery ? (
          <>
            <RecoveryProgress recovery={recovery} networks={networks.data} />
            {!isCollecting && !isBegun && !hasEnded && (
              <p className="text-muted text-sm">
                {t('You can close this page. Come back to it on this device: the new passkey is on it.')}
              </p>
            )}
            {isReady && (
              <Button
                variant="secondary"
                className="justify-self-start"
                busy={carryOn.isPending}
                // The schema has `string` where viem has a template literal.
                onClick={() => carryOn.mutate(recovery.messageToSign as Hex)}
              >
                {t('Finish it now')}
              </Button>
            )}
            {carryOn.error && <ErrorNotice error={carryOn.error} />}
          </>
        ) : (
          <p className="text-muted text-sm">{t('No guardian has signed yet.')}</p>
        )}
      </Card>
      {/* Never while it runs: this browser alone knows that the new passkey belongs to it. */}
      {status.data && (!recovery || hasEnded) && (
        <Button variant="quiet" size="small" className="justify-self-start" onClick={onForget}>
          {t('Start again')}
        </Button>
      )}
    </>
  )
}
