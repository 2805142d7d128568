import type { AccountMessage } from '@lanyard/accounts'
import { Button, Card, Fact, FullAddress, Identicon, ListSkeleton, Screen } from '@lanyard/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { numberToHex } from 'viem'
import { connectOrigin, touchConnection } from '../connections/connections.ts'
import { rememberRequester } from '../connections/requesters.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { rich, t } from '../i18n/t.ts'
import { prepareMessage, signMessage } from '../messages/sign-message.ts'
import type { Network } from '../networks/use-networks.ts'
import { OperationFacts } from '../operation/operation-facts.tsx'
import { prepareOperation } from '../operation/prepare-operation.ts'
import { rememberSent, useUnusualAmount } from '../operation/usual-amounts.tsx'
import { hasSessionKeys } from '../session-keys/use-sessions.ts'
import type { KnownAccount } from '../sign-in/known-account.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { CallsStatus } from './calls-status.tsx'
import { ConfirmButtons } from './confirm-buttons.tsx'
import { PermissionsScreen } from './permissions-screen.tsx'
import type { WalletRequest } from './read-request.ts'
import { sendPrepared } from './send-prepared.ts'
import { MessageFacts, SignInFacts } from './sign-in-facts.tsx'
import { TypedDataFacts } from './typed-data-facts.tsx'

interface RequestScreenProps {
  readonly origin: string
  readonly account: KnownAccount
  readonly requested: WalletRequest
  readonly networks: readonly Network[]
  /** Sends the answer to the page. */
  readonly onDone: (result: unknown) => void
  readonly onDecline: () => void
}

type Part<Kind extends WalletRequest['kind']> = RequestScreenProps & {
  readonly requested: Extract<WalletRequest, { kind: Kind }>
}

/** Shows the page's full request, and sends the person's answer. */
export function RequestScreen(props: RequestScreenProps) {
  const { requested } = props
  switch (requested.kind) {
    case 'connect':
      return <ConnectRequestScreen {...props} requested={requested} />
    case 'message':
      return (
        <SignScreen
          {...props}
          title={requested.signIn ? t('Sign in') : t('Sign a message')}
          label={requested.signIn ? t('Sign in with passkey') : t('Sign with passkey')}
          network={requested.network}
          message={requested.message}
        >
          {requested.signIn ? (
            <SignInFacts signIn={requested.signIn} />
          ) : (
            <MessageFacts message={requested.message} />
          )}
        </SignScreen>
      )
    case 'typed-data':
      return (
        <SignScreen
          {...props}
          title={t('Sign data')}
          label={t('Sign with passkey')}
          network={requested.network}
          message={{ typedData: requested.typedData }}
        >
          <TypedDataFacts typedData={requested.typedData} chainId={requested.network.chainId} />
        </SignScreen>
      )
    case 'calls':
      return <CallsScreen {...props} requested={requested} />
    case 'permissions':
      return (
        <PermissionsScreen
          {...props}
          requested={requested}
          requester={<Requester origin={props.origin} intro={t('asks to act for you.')} />}
        />
      )
    case 'status':
      return (
        <Screen title={t('Your calls')}>
          <CallsStatus network={requested.network} userOpHash={requested.userOpHash} />
          <Button size="large" variant="secondary" onClick={() => props.onDone(null)}>
            {t('Close')}
          </Button>
        </Screen>
      )
  }
}

function ConnectRequestScreen({
  origin,
  account,
  requested: { signIn },
  networks,
  onDone,
  onDecline,
}: Part<'connect'>) {
  const message: AccountMessage | undefined = signIn && { message: signIn.text }
  const prepared = usePreparedMessage(account, signIn?.network, message)
  const connect = useMutation({
    mutationFn: async () => {
      const signature = prepared.data && (await signMessage(account, prepared.data))
      connectOrigin(origin, account)
      const capabilities = signIn && signature && { signInWithEthereum: { message: signIn.text, signature } }
      onDone({
        accounts: [{ address: account.account, ...(capabilities && { capabilities }) }],
        chainIds: networks.map(({ chainId }) => numberToHex(chainId)),
        grantChainIds: networks.filter(hasSessionKeys).map(({ chainId }) => numberToHex(chainId)),
      })
    },
  })
  return (
    <Screen title={signIn ? t('Connect and sign in') : t('Connect')}>
      <Requester origin={origin} intro={t('wants to use your wallet.')} />
      <Card className="grid gap-4 p-5">
        <div className="flex items-center gap-3">
          <Identicon address={account.account} />
          <div className="min-w-0">
            <p className="wrap-anywhere font-medium">
              {rich('{username}’s account', { username: account.username })}
            </p>
            <FullAddress address={account.account} />
          </div>
        </div>
        <ul className="grid list-disc gap-1.5 pl-5 text-sm">
          <li>{t('It sees this account’s address and your wallet’s networks.')}</li>
          <li>{t('It can ask you to sign. Each time you see what, and decide.')}</li>
          <li>{t('It can’t move money. You can disconnect it at any time.')}</li>
        </ul>
        {signIn && <SignInFacts signIn={signIn.signIn} />}
      </Card>
      <Failures errors={[prepared.error, connect.error]} onRetry={() => void prepared.refetch()} />
      {(!signIn || prepared.data) && (
        <ConfirmButtons
          label={signIn ? t('Connect and sign in with passkey') : t('Connect')}
          onConfirm={connect.mutate}
          onDecline={onDecline}
          busy={connect.isPending}
        />
      )}
    </Screen>
  )
}

interface SignScreenProps extends RequestScreenProps {
  readonly title: string
  readonly label: string
  readonly network: Network
  readonly message: AccountMessage
  readonly children: ReactNode
}

function SignScreen({
  origin,
  account,
  title,
  label,
  network,
  message,
  children,
  onDone,
  onDecline,
}: SignScreenProps) {
  const prepared = usePreparedMessage(account, network, message)
  const sign = useMutation({
    mutationFn: async () => {
      if (!prepared.data) return
      const signature = await signMessage(account, prepared.data)
      touchConnection(origin)
      onDone(signature)
    },
  })
  return (
    <Screen title={title}>
      <Requester origin={origin} intro={t('asks for your signature.')} />
      <Card className="grid gap-4 p-5">
        {children}
        <dl className="grid gap-2.5 border-line border-t pt-4 text-sm">
          <SignerFact account={account} />
          <Fact term={t('Valid on')}>{network.name}</Fact>
        </dl>
      </Card>
      <Failures errors={[prepared.error, sign.error]} onRetry={() => void prepared.refetch()} />
      {prepared.data ? (
        <ConfirmButtons label={label} onConfirm={sign.mutate} onDecline={onDecline} busy={sign.isPending} />
      ) : (
        <DeclineOnly onDecline={onDecline} />
      )}
    </Screen>
  )
}

function CallsScreen({ origin, account, requested: { network, calls }, onDone, onDecline }: Part<'calls'>) {
  const session = useSession()
  const prepared = useQuery({
    queryKey: ['connect-operation'],
    queryFn: ({ signal }) => prepareOperation(session, network, calls, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnReconnect: false,
  })
  const unusual = useUnusualAmount(prepared.data)
  const send = useMutation({
    mutationFn: async () => {
      if (!prepared.data) return
      const id = await sendPrepared(account, prepared.data)
      rememberSent(prepared.data, account.account)
      rememberRequester(account.account, prepared.data.verified.userOpHash, origin)
      touchConnection(origin)
      onDone({ id })
    },
  })
  return (
    <Screen title={t('Review and sign')}>
      <Requester origin={origin} intro={t('asks you to send this.')} />
      <Card className="grid gap-4 p-5">
        {prepared.data ? (
          <OperationFacts prepared={prepared.data} />
        ) : (
          !prepared.error && <ListSkeleton label={t('Preparing the transaction')} />
        )}
      </Card>
      <Failures
        errors={[prepared.error, send.error]}
        onRetry={() => {
          send.reset()
          void prepared.refetch()
        }}
      />
      {unusual.notice}
      {prepared.data && !prepared.isFetching ? (
        <ConfirmButtons
          label={send.isPending ? t('Sending') : t('Sign with passkey')}
          onConfirm={() => unusual.check() && send.mutate()}
          onDecline={onDecline}
          busy={send.isPending}
        />
      ) : (
        <DeclineOnly onDecline={onDecline} />
      )}
    </Screen>
  )
}

/** Requests the passkey challenge while the person reads. */
function usePreparedMessage(
  account: KnownAccount,
  network: Network | undefined,
  message: AccountMessage | undefined,
) {
  return useQuery({
    queryKey: ['connect-message'],
    queryFn: ({ signal }) => {
      if (!network || !message) throw new TypeError('There is no message')
      return prepareMessage(account, network, message, signal)
    },
    enabled: message !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  })
}

/** Identifies the page by its origin as reported by the browser, never by the page's own claims. */
function Requester({ origin, intro }: { origin: string; intro: string }) {
  return (
    <p>
      <strong className="wrap-anywhere font-semibold" translate="no">
        {origin}
      </strong>{' '}
      <span className="text-muted">{intro}</span>
    </p>
  )
}

function SignerFact({ account: { account, username } }: { account: KnownAccount }) {
  return (
    <Fact term={t('Signs')}>
      <span className="inline-flex items-center gap-2">
        <Identicon address={account} className="size-5" />
        {rich('{username}’s account', { username })}
      </span>
    </Fact>
  )
}

function Failures({ errors, onRetry }: { errors: readonly (Error | null)[]; onRetry: () => void }) {
  const error = errors.find((candidate) => candidate !== null)
  return error ? <ErrorNotice error={error} onRetry={onRetry} /> : null
}

const DeclineOnly = ({ onDecline }: { onDecline: () => void }) => (
  <Button size="large" variant="secondary" onClick={onDecline}>
    {t('Decline')}
  </Button>
)
