import { Notice } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { trpc } from '../api/trpc.ts'
import { t } from '../i18n/t.ts'
import { useSession } from '../sign-in/session-context.tsx'
import type { Owner } from './use-owners.ts'

interface BackupAdviceProps {
  /** Without those who leave. */
  readonly owners: readonly Owner[]
  /** Where to do it. */
  readonly children?: ReactNode
}

/**
 * Advises another passkey while the only one is on one device: its authenticator said at the last ceremony that it is not
 * backed up (WebAuthn's flag BS). Says nothing as long as that is unknown.
 */
export function BackupAdvice({ owners, children }: BackupAdviceProps) {
  const { account } = useSession()
  const passkeys = owners.filter(({ credentialId }) => credentialId !== undefined)
  const { data } = useQuery({
    queryKey: ['credentials', account],
    queryFn: ({ signal }) => trpc.webauthn.credentials.query({}, { signal }),
    retry: false,
  })
  const only = data?.credentials.find(({ credentialId }) => credentialId === passkeys[0]?.credentialId)
  if (passkeys.length !== 1 || !only || only.backedUp) return null
  return (
    <Notice tone="warning" title={t('Your passkey is not backed up.')}>
      {t(
        'It exists only on the device or security key that made it. With another passkey, on another device, you keep your account if you lose it.',
      )}{' '}
      {children}
    </Notice>
  )
}
