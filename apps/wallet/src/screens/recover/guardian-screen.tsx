import { Card, escapeText, FullAddress, Identicon, ListSkeleton, Notice, Screen } from '@lanyard/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { isAddressEqual } from 'viem'
import { trpc } from '../../api/trpc.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { ExplainedError } from '../../errors/error-text.ts'
import { type GuardianOverview, useGuardians } from '../../guardians/guardian.ts'
import { delayText } from '../../guardians/guardian-draft.ts'
import { t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import { type Network, useNetworks } from '../../networks/use-networks.ts'
import { prepareRecovery } from '../../recovery/prepare-recovery.ts'
import { type RecoveryRequest, readRecoveryLink } from '../../recovery/recovery-link.ts'
import { signWithAccount, signWithPasskey, signWithWallet } from '../../recovery/sign-recovery.ts'
import {
  isAskedByLogin,
  isCancelled,
  type RecoveryStatus,
  recoveryTo,
  useRecovery,
} from '../../recovery/use-recovery.ts'
import { useSessionState } from '../../sign-in/session-context.tsx'
import type { InjectedWallet } from '../../signers/injected-wallets.ts'
import { NoLink } from './no-link.tsx'
import { endingText, RecoveryProgress } from './recovery-progress.tsx'
import { SignerButtons } from './signer-buttons.tsx'
import { SpokenWordsList } from './spoken-words-list.tsx'

/** A guardian's page: who asks for what, how to check it by another channel, and the signature. */
export function GuardianScreen() {
  const { hash } = useLocation()
  const request = readRecoveryLink(hash)
  return (
    <Screen title={t('Help to recover an account')} narrow>
      {request ? (
        <Request key={hash} request={request} />
      ) : (
        <NoLink
          isBroken={hash !== ''}
          purpose={t(
            'On this page, a guardian helps a person who lost every passkey. You need the link that this person sends you: it says which account, and which new passkey.',
          )}
          other={{ to: '/recover', label: t('Did you lose your own passkeys? Recover your account') }}
        />
      )}
    </Screen>
  )
}

function Request({ request }: { request: RecoveryRequest }) {
  const networks = useNetworks()
  const status = useRecovery(request.account)
  const overview = useGuardians(request.account)
  const error =
    networks.error ?? (status.data ? null : status.error) ?? (overview.data ? null : overview.error)
  if (error)
    return (
      <ErrorNotice
        error={error}
        onRetry={() => void Promise.all([networks.refetch(), status.refetch(), overview.refetch()])}
      />
    )
  if (!networks.data || !status.data || !overview.data)
    return <ListSkeleton label={t('Reading the request')} />
  const { username: name, guardians } = status.data
  const username = name && escapeText(name, 64)
  if (!guardians)
    return (
      <Notice tone="warning" title={t('This account has no guardians.')}>
        {t('You cannot help here. Tell the person who sent you the link.')}
      </Notice>
    )
  const recovery = recoveryTo(status.data, request)
  const hasEnded = recovery !== undefined && isCancelled(recovery)
  return (
    <>
      <Card aria-labelledby="who" className="grid gap-4 p-5">
        <h2 id="who" className="wrap-anywhere font-semibold text-lg">
          {hasEnded
            ? t('This request has ended.')
            : username
              ? t('Someone who says they are {username} asks for your signature', { username })
              : t('You are asked for your signature')}
        </h2>
        {!hasEnded && (
          <p className="text-sm">
            {guardians.members.length === 1
              ? t(
                  'They say that they lost every passkey of this account. If its only guardian signs, a new passkey owns it {delay} later, and everything in it.',
                  { delay: delayText(guardians.delay) },
                )
              : t(
                  'They say that they lost every passkey of this account. If {threshold} of {count} guardians sign, a new passkey owns it {delay} later, and everything in it.',
                  {
                    threshold: guardians.threshold,
                    count: guardians.members.length,
                    delay: delayText(guardians.delay),
                  },
                )}
          </p>
        )}
        <div className="flex items-center gap-3 rounded-field bg-sunken p-3">
          <Identicon address={request.account} />
          <div className="grid min-w-0 gap-0.5">
            {username && <p className="truncate font-medium">{username}</p>}
            <FullAddress address={request.account} />
          </div>
        </div>
      </Card>
      {!hasEnded && isAskedByLogin(status.data, request) && (
        <Notice tone="warning" title={t('Someone with the login of this account asks too.')}>
          {t(
            'A login proves no person: whoever has the password, or runs the provider, has it. Call the person whom you know, and compare the six words below.',
          )}
        </Notice>
      )}
      {hasEnded ? (
        <Notice tone="warning" title={t('There is nothing to sign.')}>
          {endingText(status.data, recovery)}{' '}
          {t('If the person still needs you, they begin again and send you another link.')}
        </Notice>
      ) : (
        <SignSteps request={request} status={status.data} overview={overview.data} networks={networks.data} />
      )}
      {recovery && (
        <Card aria-labelledby="progress" className="grid gap-3 p-5">
          <h2 id="progress" className="font-semibold">
            {t('Where it stands')}
          </h2>
          <RecoveryProgress recovery={recovery} networks={networks.data} />
        </Card>
      )}
    </>
  )
}

interface SignStepsProps {
  readonly request: RecoveryRequest
  readonly status: RecoveryStatus
  readonly overview: GuardianOverview
  readonly networks: readonly Network[]
}

/** What to check, and the signature: nothing can be signed before it was checked. */
function SignSteps({ request, status, overview, networks }: SignStepsProps) {
  const { session } = useSessionState()
  const queryClient = useQueryClient()
  const [isChecked, setChecked] = useState(false)
  const members = status.guardians?.members ?? []
  const ofPasskey = session
    ? overview.guardians.find(
        ({ guardian, username, key }) =>
          key && username === session.username && members.some((member) => isAddressEqual(member, guardian)),
      )
    : undefined
  const signing = useMutation({
    mutationFn: async (by: InjectedWallet | 'account') => {
      const prepared = await prepareRecovery(request, status, networks)
      if (by !== 'account') return signWithWallet(by, prepared, members)
      if (!session) throw new TypeError('only a signed-in person signs with the account')
      if (ofPasskey) return signWithPasskey(session, prepared, ofPasskey)
      const own = await trpc.ownership.status.query({ walletAddress: session.account })
      const deployed = networks.filter(({ chainId }) =>
        own.networks.some((network) => network.network === chainId && network.deployed),
      )
      // No contract could check its signature.
      if (deployed.length === 0)
        throw new ExplainedError({
          title: t('Your account exists on no network yet, so it cannot sign.'),
          advice: t('You did not sign. Tell the owner to name your passkey instead of your account.'),
        })
      return signWithAccount(session, prepared, deployed)
    },
    onSuccess: (next) => next && queryClient.setQueryData(['recovery', request.account], next),
  })
  const isAccount = session && members.some((member) => isAddressEqual(member, session.account))
  const isGuardian = ofPasskey !== undefined || isAccount
  if (signing.data) {
    // Only an account signs for one network at a time.
    const account = signing.variables === 'account' && !ofPasskey ? session?.account : undefined
    const steps = recoveryTo(signing.data, request)?.networks ?? []
    const missing = account
      ? steps.filter(({ state, signed }) => state === 'collecting' && !signed.includes(account))
      : []
    return (
      <Signed
        missing={nameNetworks(
          missing.map(({ network }) => network),
          networks,
        )}
      />
    )
  }
  return (
    <Card aria-labelledby="check" className="grid gap-4 p-5">
      <h2 id="check" className="font-semibold text-lg">
        {t('Check first')}
      </h2>
      <ol className="grid list-decimal gap-1.5 pl-5 text-sm">
        <li>{t('Call them on a number you already had, not one from the message with this link.')}</li>
        <li>{t('Recognize the voice, and ask something that only they know.')}</li>
        <li>{t('Ask them to read out their six words. They must be these:')}</li>
      </ol>
      <SpokenWordsList request={request} />
      <Notice tone="warning">
        {t('A message, an e-mail or a video can be faked. Whoever gets the account gets everything in it.')}
      </Notice>
      <label className="flex min-h-11 items-center gap-3 text-sm">
        <input
          type="checkbox"
          className="size-5 shrink-0"
          checked={isChecked}
          onChange={(event) => setChecked(event.target.checked)}
        />
        {t('I spoke to them, and the six words are the same.')}
      </label>
      {signing.error && <ErrorNotice error={signing.error} />}
      <SignerButtons
        account={
          session && isGuardian
            ? {
                label: (
                  <>
                    <KeyRound className="size-5" aria-hidden="true" />
                    {t('Sign as {username}', { username: session.username })}
                  </>
                ),
                onPress: () => signing.mutate('account'),
              }
            : undefined
        }
        walletLabel={({ name }) => t('Sign with {wallet}', { wallet: name })}
        onWallet={signing.mutate}
        disabled={!isChecked}
        busy={signing.isPending}
      >
        {(wallets) => (
          <>
            {session && !isGuardian && (
              <p className="text-muted text-sm">
                {t('Your account {username} is no guardian of this one.', { username: session.username })}
              </p>
            )}
            {isGuardian && (
              <p className="text-muted text-sm">
                {ofPasskey
                  ? t('Your passkey signs once, for all networks. It costs you nothing.')
                  : t('Your passkey asks once for each network on which your account is deployed.')}
              </p>
            )}
            {wallets.length === 0 && !isGuardian && (
              <p className="text-muted text-sm">
                {t(
                  'No wallet was found in this browser. If you were named by an address, open this link where its wallet is.',
                )}
              </p>
            )}
          </>
        )}
      </SignerButtons>
    </Card>
  )
}

/** What the guardian's signature is good for. */
function Signed({
  missing,
}: {
  /** Networks on which it does not count, by name. */ readonly missing: string
}) {
  return (
    <Notice title={t('You signed.')} tone={missing ? 'warning' : 'info'}>
      {missing
        ? t(
            'Your signature does not count on {networks}: your account does not exist there. Tell the owner.',
            {
              networks: missing,
            },
          )
        : t(
            'Your signature counts on every network. Nothing else is left to do for you. If something seems wrong now, tell the owner: they can cancel.',
          )}
    </Notice>
  )
}
