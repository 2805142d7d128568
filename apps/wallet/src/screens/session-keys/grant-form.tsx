import { sessionKeyId } from '@lanyard/session-keys'
import { Button, Card, focusFirstInvalid, Notice } from '@lanyard/ui'
import { type FormEvent, useState } from 'react'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import { NetworkSelect } from '../../networks/network-select.tsx'
import type { GrantedSession } from '../../session-keys/granted-session.ts'
import { parseSessionKey } from '../../session-keys/parse-session-key.ts'
import type { GrantRequest } from '../../session-keys/plan-grant.ts'
import { readSessionDraft } from '../../session-keys/read-session-draft.ts'
import type { SessionDraft, SessionDraftErrors } from '../../session-keys/session-draft.ts'
import type { SessionKeysNetwork } from '../../session-keys/use-sessions.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { GrantLimits } from './grant-limits.tsx'
import { GrantPermissions } from './grant-permissions.tsx'
import { SessionKeyField } from './session-key-field.tsx'

interface GrantFormProps {
  readonly networks: readonly SessionKeysNetwork[]
  /** The existing sessions. */
  readonly granted: readonly GrantedSession[]
  readonly draft: SessionDraft
  readonly onDraft: (change: Partial<SessionDraft>) => void
  readonly onReview: (grant: { network: SessionKeysNetwork; request: GrantRequest }) => void
  /** Called after a change, since an earlier error may no longer apply. */
  readonly onChange: () => void
  readonly onCancel: () => void
  readonly busy: boolean
  readonly error: Error | null
}

/** The session key, network, permissions and end of a session. */
export function GrantForm({
  networks,
  granted,
  draft,
  onDraft,
  onReview,
  onChange,
  onCancel,
  busy,
  error,
}: GrantFormProps) {
  const { account } = useSession()
  const [errors, setErrors] = useState<SessionDraftErrors>({})
  const network = networks.find(({ chainId }) => chainId === draft.chainId) ?? networks[0]
  if (!network) return null

  const key = parseSessionKey(draft.key)
  const isTaken =
    key.ok &&
    granted.some(({ chainId, keyId }) => chainId === network.chainId && keyId === sessionKeyId(key.key))
  const change = (next: Partial<SessionDraft>) => {
    setErrors({})
    if (error) onChange()
    onDraft(next)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    const read = readSessionDraft(draft, { account, network, now: Math.floor(Date.now() / 1_000) })
    if (read.ok) return onReview({ network, request: read.request })
    setErrors(read.errors)
    focusFirstInvalid(event.currentTarget)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Card className="grid gap-6 p-5 sm:p-6">
        <h2 className="font-semibold text-lg">{t('Grant a session key by hand')}</h2>
        <NetworkSelect
          label={t('Network')}
          networks={networks}
          chainId={network.chainId}
          onChange={(chainId) => change({ chainId })}
        />
        <SessionKeyField value={draft.key} error={errors.key} onChange={(key) => change({ key })} />
        {isTaken && (
          <Notice
            tone="warning"
            title={t('This key already has access on {network}.', { network: network.name })}
          >
            {t('The new limits replace the old ones.')}
          </Notice>
        )}
        <GrantPermissions network={network} draft={draft} errors={errors} onChange={change} />
        <GrantLimits network={network} draft={draft} errors={errors} onChange={change} />
        {errors.form && <Notice tone="error" title={errors.form} />}
        {error && <ErrorNotice error={error} />}
        <div className="flex flex-wrap gap-2.5">
          <Button type="submit" size="large" busy={busy}>
            {busy ? t('Preparing…') : t('Review')}
          </Button>
          <Button variant="secondary" size="large" onClick={onCancel}>
            {t('Cancel')}
          </Button>
        </div>
      </Card>
    </form>
  )
}
