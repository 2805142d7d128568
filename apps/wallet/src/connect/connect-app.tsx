import type { ConnectRequest } from '@lanyard/connect/protocol'
import { Button, brand, ListSkeleton, Logo, Notice, Screen, useFont } from '@lanyard/ui'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { findConnection } from '../connections/connections.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { rich, t } from '../i18n/t.ts'
import { useNetworks } from '../networks/use-networks.ts'
import { type KnownAccount, knownAccount, lastUsername } from '../sign-in/known-account.ts'
import { SessionProvider } from '../sign-in/session-context.tsx'
import type { Channel } from './channel.ts'
import { opensConnection, readRequest, type WalletRequest } from './read-request.ts'
import { Rejection } from './rejection.ts'
import { RequestScreen } from './request-screen.tsx'

/** The popup. It handles one request of one page. */
export function ConnectApp({ channel }: { channel: Channel }) {
  const state = useSyncExternalStore(channel.subscribe, channel.getState)
  useFont(state.step !== 'waiting')
  return (
    <div className="min-h-dvh pb-8">
      <header className="mx-auto flex h-16 w-full max-w-md items-center gap-1.5 px-4 font-semibold tracking-tight">
        <Logo className="size-7" />
        {brand.name}
      </header>
      <main className="mx-auto w-full max-w-md px-4 pt-2">
        {!brand.features.connectedApps ? (
          <Screen title={t('Nothing to do here')}>
            <Notice>{t('This wallet does not connect to apps. You can close this window.')}</Notice>
          </Screen>
        ) : state.step === 'requested' ? (
          <Requested key={state.request.id} origin={state.origin} request={state.request} channel={channel} />
        ) : state.step === 'alone' ? (
          <Screen title={t('Nothing to do here')}>
            <Notice>
              {t(
                'This window belongs to an app that uses your wallet. Start again in the app. If it says that your wallet does not answer, the app’s own security headers keep the two apart.',
              )}
            </Notice>
          </Screen>
        ) : state.step === 'answered' ? (
          <Screen title={t('Done')}>
            <p className="text-muted">{t('You can close this window.')}</p>
          </Screen>
        ) : (
          <ListSkeleton label={t('Waiting for the app')} />
        )}
      </main>
    </div>
  )
}

interface RequestedProps {
  readonly origin: string
  readonly request: ConnectRequest
  readonly channel: Channel
}

function Requested({ origin, request, channel }: RequestedProps) {
  // Only a connected page learns its account; other pages get no information.
  const [connection] = useState(() => findConnection(origin))
  const isRejected = connection === undefined && !opensConnection(request.method)
  useEffect(() => {
    if (isRejected)
      channel.reject(new Rejection('unauthorized', t('This page is not connected to the wallet.')).failure)
  }, [isRejected, channel])
  const signedIn = useLastAccount()
  const account = opensConnection(request.method) ? signedIn : connection
  if (isRejected) return null
  if (!account) return <NoAccount />
  return <KnownPerson origin={origin} request={request} channel={channel} account={account} />
}

function KnownPerson({ origin, request, channel, account }: RequestedProps & { account: KnownAccount }) {
  const networks = useNetworks()
  const [now] = useState(() => new Date())
  if (networks.error)
    return (
      <Screen title={t('Your wallet does not answer')}>
        <ErrorNotice error={networks.error} onRetry={() => void networks.refetch()} />
      </Screen>
    )
  if (!networks.data) return <ListSkeleton label={t('Reading the request')} />
  const read = tryRead(() => readRequest(request, { origin, account, networks: networks.data, now }))
  if (read instanceof Rejection) return <Rejected origin={origin} refusal={read} channel={channel} />
  return (
    <SessionProvider
      shared={false}
      initial={() => ({ username: account.username, account: account.account, token: '' })}
    >
      <RequestScreen
        origin={origin}
        account={account}
        requested={read}
        networks={networks.data}
        onDone={channel.resolve}
        onDecline={() => channel.reject(declined)}
      />
    </SessionProvider>
  )
}

const declined = new Rejection('userRejected', t('The user declined.')).failure

function tryRead(read: () => WalletRequest): WalletRequest | Rejection {
  try {
    return read()
  } catch (error) {
    if (error instanceof Rejection) return error
    throw error
  }
}

/**
 * Shows a refusal to the person if the page may be deceiving them. Other mistakes are reported only to the
 * page.
 */
function Rejected({ origin, refusal, channel }: { origin: string; refusal: Rejection; channel: Channel }) {
  const answer = () => channel.reject(refusal.failure)
  const { isShown } = refusal
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refusal does not change
  useEffect(() => {
    if (!isShown) answer()
  }, [isShown])
  if (!isShown) return null
  return (
    <Screen title={t('Refused')}>
      <Notice tone="error" title={refusal.message}>
        {rich('Nothing was signed. Do not use {origin} until you know why it asked for this.', {
          origin: <Origin>{origin}</Origin>,
        })}
      </Notice>
      <Button size="large" variant="secondary" onClick={answer}>
        {t('Close')}
      </Button>
    </Screen>
  )
}

const Origin = ({ children }: { children: ReactNode }) => (
  <strong className="wrap-anywhere font-medium">{children}</strong>
)

/** The account used last in this browser. Updates when another tab signs in. */
function useLastAccount(): KnownAccount | undefined {
  const text = useSyncExternalStore(subscribeToStorage, () => JSON.stringify(readLastAccount()))
  return text === undefined ? undefined : JSON.parse(text)
}

function readLastAccount(): KnownAccount | undefined {
  const username = lastUsername()
  return username === undefined ? undefined : knownAccount(username)
}

function subscribeToStorage(listener: () => void) {
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}

function NoAccount() {
  return (
    <Screen title={t('No account in this browser')}>
      <Notice>
        {t(
          'Open your wallet in another tab and sign in, or create an account. This window then continues by itself.',
        )}
      </Notice>
      <Button asChild size="large">
        <a href="/" target="_blank" rel="noopener">
          {t('Open the wallet')}
        </a>
      </Button>
    </Screen>
  )
}
