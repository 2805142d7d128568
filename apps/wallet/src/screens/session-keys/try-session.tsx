import { type Currency, nativeOf } from '@lanyard/calls'
import { Button, Field, focusFirstInvalid, Input, Select, useStoredDraft } from '@lanyard/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { AmountInput } from '../../amounts/amount-input.tsx'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import { actInSession } from '../../session-keys/act-in-session.ts'
import type { SessionKeysNetwork } from '../../session-keys/use-sessions.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { type DraftErrors, emptyDraft, readDraft } from '../send/draft.ts'

interface TrySessionProps {
  readonly network: SessionKeysNetwork
  readonly keyId: `0x${string}`
}

/** Uses the key as an app would: sends without a passkey, within the session's limits. */
export function TrySession({ network, keyId }: TrySessionProps) {
  const { account } = useSession()
  const queryClient = useQueryClient()
  const {
    draft,
    change: keep,
    forget,
  } = useStoredDraft(`try.${account}.${network.chainId}.${keyId}`, { ...emptyDraft, asset: 0 })
  const [errors, setErrors] = useState<DraftErrors>({})
  const act = useMutation({
    mutationFn: actInSession,
    onSuccess: forget,
    onSettled: () => {
      for (const key of ['sessions', 'balances', 'activity', 'transfers'])
        void queryClient.invalidateQueries({ queryKey: [key, account] })
    },
  })
  const currency: Currency = network.currencies[draft.asset] ?? nativeOf(network.currencies)
  const change = (next: Partial<typeof draft>) => {
    setErrors({})
    act.reset()
    keep(next)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (act.isPending) return
    const read = readDraft(draft, network.currencies)
    if (read.ok) return act.mutate({ account, network, keyId, call: read.call })
    setErrors(read.errors)
    focusFirstInvalid(event.currentTarget)
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <Field label={t('What the key sends')}>
        {(control) => (
          <Select
            {...control}
            value={draft.asset}
            onChange={(event) => change({ asset: Number(event.target.value) })}
          >
            {network.currencies.map(({ symbol }, index) => (
              <option key={symbol} value={index}>
                {symbol}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t('Recipient of the key’s payment')} error={errors.recipient}>
        {(control) => (
          <Input
            {...control}
            className="font-mono text-sm"
            value={draft.recipient}
            placeholder="0x…"
            onChange={(event) => change({ recipient: event.target.value })}
          />
        )}
      </Field>
      <AmountInput
        label={t('Amount of the key’s payment')}
        symbol={currency.symbol}
        value={draft.amount}
        hint={undefined}
        error={errors.amount}
        onChange={(amount) => change({ amount })}
      />
      {act.error && <ErrorNotice error={act.error} />}
      <Button type="submit" variant="secondary" className="justify-self-start" busy={act.isPending}>
        {t('Send with the session key')}
      </Button>
      <p role="status" className="text-sm empty:hidden">
        {act.data === true && t('Sent without your passkey.')}
        {act.data === false && t('Included in a block, but the call failed.')}
      </p>
    </form>
  )
}
