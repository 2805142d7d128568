import { Button, Notice, Time } from '@lanyard/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { type OwnershipStatus, useOwnership } from '../guardians/use-ownership.ts'
import { rich, t } from '../i18n/t.ts'
import { nameNetworks } from '../networks/name-networks.ts'
import { useNetworks } from '../networks/use-networks.ts'
import { useSession } from '../sign-in/session-context.tsx'

/** Says on every screen that a recovery of this account runs, and cancels it on all networks with one touch. */
export function RecoveryBanner() {
  const session = useSession()
  const queryClient = useQueryClient()
  const { data: networks } = useNetworks()
  const { data: status } = useOwnership()
  const cancelling = useMutation({
    mutationFn: async () => {
      // Every screen looks for a recovery; hardly any needs what signs.
      const { signOwnerChange } = await import('../guardians/sign-owner-change.ts')
      return status && networks && signOwnerChange(session, { kind: 'cancel' }, status, networks)
    },
    onSuccess: (next) => {
      setReviewing(false)
      queryClient.setQueryData(['ownership', session.account], next)
      void queryClient.invalidateQueries({ queryKey: ['activity', session.account] })
    },
  })
  const [isReviewing, setReviewing] = useState(false)
  const running = status?.networks.filter(({ recovery }) => recovery !== undefined) ?? []
  const [first] = running.map(({ recovery }) => recovery?.readyAt ?? 0).toSorted((a, b) => a - b)
  if (cancelling.data && first === undefined)
    return (
      <Banner>
        <Notice
          title={t('You cancelled the recovery.')}
          action={
            <Button variant="secondary" size="small" onClick={cancelling.reset}>
              {t('Close')}
            </Button>
          }
        >
          {t(
            'Your passkey stays the owner, and your guardians stay as they are. The links that they got have ended.',
          )}
        </Notice>
      </Banner>
    )
  // A request starts nothing, so what runs comes first.
  if (first === undefined && status?.request) return <RequestNotice request={status.request} />
  if (!networks || first === undefined) return null
  const isReady = first * 1_000 <= Date.now()
  const where = nameNetworks(
    running.map(({ network }) => network),
    networks,
  )
  return (
    <Banner>
      <Notice
        tone="error"
        title={t('Your account is being recovered.')}
        action={
          isReviewing ? (
            <div className="flex flex-wrap gap-2.5">
              <Button variant="danger" busy={cancelling.isPending} onClick={() => cancelling.mutate()}>
                {cancelling.isPending ? t('Waiting for your passkey…') : t('Sign and cancel it')}
              </Button>
              <Button
                variant="secondary"
                onClick={() => {
                  cancelling.reset()
                  setReviewing(false)
                }}
              >
                {t('Back')}
              </Button>
            </div>
          ) : (
            <Button variant="danger" onClick={() => setReviewing(true)}>
              {t('Cancel the recovery')}
            </Button>
          )
        }
      >
        <p>
          {isReady
            ? rich(
                'Your guardians signed it. It can be finished at any moment on {where}, and then you are no owner there.',
                {
                  where,
                },
              )
            : rich('Your guardians signed it. From {time} on, you can lose the account on {where}.', {
                time: <Time at={new Date(first * 1_000).toISOString()} />,
                where,
              })}
        </p>
        <p className="mt-1">
          {isReviewing
            ? t(
                'You sign once: the recovery ends on every network, and nothing else changes. Guardians can start another one.',
              )
            : t('If you did not ask for it, cancel it now. One signature cancels it on every network.')}
        </p>
      </Notice>
      {cancelling.error && <ErrorNotice error={cancelling.error} undone={t('The recovery goes on.')} />}
    </Banner>
  )
}

/** A login asked the guardians for help. Whoever has an owner's key here has lost nothing, so somebody else may be asking. */
const RequestNotice = ({ request }: { request: NonNullable<OwnershipStatus['request']> }) => (
  <Banner>
    <Notice
      tone="warning"
      title={t('A login asks your guardians to recover your account.')}
      action={
        <Link to="/protection" className="touch-area font-medium underline underline-offset-4">
          {t('See your logins')}
        </Link>
      }
    >
      {rich('It asked {time}. Was it not you? Unlink the login under Protection, and tell your guardians.', {
        time: <Time at={request.requestedAt} />,
      })}
    </Notice>
  </Banner>
)

const Banner = ({ children }: { children: ReactNode }) => (
  <section aria-label={t('Recovery')} className="mx-auto grid max-w-5xl gap-3 px-4 pt-4 sm:px-6">
    {children}
  </section>
)
