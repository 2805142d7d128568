import { Button, Card, FullAddress, Identicon, Notice, Screen, storeDraft } from '@lanyard/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { Address, Hex } from 'viem'
import { formatShortAmount } from '../../amounts/amounts.ts'
import { trpc } from '../../api/trpc.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import { type Network, useNetworks } from '../../networks/use-networks.ts'
import { useSessionState } from '../../sign-in/session-context.tsx'
import { connectEoa } from '../../signers/eoa-wallet.ts'
import {
  findInjectedWallets,
  type InjectedWallet,
  signWithInjectedWallet,
} from '../../signers/injected-wallets.ts'
import { type Holdings, type ImportedEoa, KeyFileHint } from './imported-eoa.tsx'
import { MoveAway } from './move-away.tsx'
import { OwnedAccountCard } from './owned-account-card.tsx'
import { PayFromAddress } from './pay-from-address.tsx'
import { WalletButtons } from './wallet-buttons.tsx'

/** A person whose key is in a wallet of their own keeps the address, or moves what it holds. */
export function ImportScreen() {
  const [wallets, setWallets] = useState<readonly InjectedWallet[]>()
  useEffect(() => {
    setWallets([])
    return findInjectedWallets((wallet) =>
      setWallets((known = []) => [...known.filter(({ id }) => id !== wallet.id), wallet]),
    )
  }, [])
  const entering = useMutation({ mutationFn: enter })
  const eoa = entering.data
  return (
    <Screen title={t('Bring your address')} narrow>
      {eoa ? (
        <Account eoa={eoa} />
      ) : (
        <Card className="grid gap-4 p-5">
          <p>
            {t('Your key stays in your own wallet, and your address, tokens and history stay as they are.')}
          </p>
          {entering.error && <ErrorNotice error={entering.error} undone={t('You are not signed in.')} />}
          {wallets?.length === 0 ? (
            <Notice title={t('This browser has no wallet.')}>
              <p>
                {t(
                  'Install the wallet that has your key, or open this page in its browser. Never enter a key or its words in a website, not even in this one.',
                )}
              </p>
              <KeyFileHint />
            </Notice>
          ) : (
            <WalletButtons
              wallets={wallets ?? []}
              label={(wallet) => t('Sign in with {wallet}', { wallet: wallet.name })}
              busy={entering.isPending}
              onPress={(wallet) => entering.mutate(wallet)}
            />
          )}
          <p className="text-muted text-sm">
            {t('Your wallet shows two requests: which address, and a text to sign. Neither moves anything.')}
          </p>
        </Card>
      )}
    </Screen>
  )
}

/** Shows the key once, which also claims a name that was imported for it. */
async function enter(wallet: InjectedWallet): Promise<ImportedEoa> {
  const address = await connectEoa(wallet)
  const account = { eoaAddress: address, type: 'eip7702' } as const
  await trpc.smartAccount.create.mutate(account)
  const { message } = await trpc.login.message.mutate({
    ...{ walletAddress: address, eoaAddress: address, type: 'eip7702' },
  })
  const signature = (await signWithInjectedWallet(wallet, address, message)) as Hex
  await trpc.login.verify.mutate({ message, signature })
  const { username } = await trpc.smartAccount.create.mutate(account)
  return { wallet, address, username }
}

function Account({ eoa }: { eoa: ImportedEoa }) {
  const { address, username } = eoa
  const networks = useNetworks()
  const kinds = useQuery({
    queryKey: ['account-kinds'],
    queryFn: ({ signal }) => trpc.system.networks.query({}, { signal }),
  })
  const balances = useQuery({
    queryKey: ['imported-balances', address],
    queryFn: ({ signal }) =>
      trpc.wallet.balances.query({ walletAddress: address, type: 'eip7702' }, { signal }),
    refetchInterval: 15_000,
  })
  const delegating = new Set(
    kinds.data?.networks.flatMap(({ network, accountKinds }) =>
      accountKinds.includes('eip7702') ? [network] : [],
    ),
  )
  const usable = networks.data?.filter(({ chainId }) => delegating.has(chainId)) ?? []
  const holdings = balances.data?.balances
  const error = networks.error ?? kinds.error ?? balances.error
  return (
    <div className="grid gap-5">
      <Card className="grid gap-3 p-5" aria-labelledby="held">
        <h2 id="held" className="font-semibold text-lg">
          {username.startsWith('0x') ? t('Your address') : t('Welcome, {username}', { username })}
        </h2>
        <span className="flex items-center gap-2.5">
          <Identicon address={address} className="size-8" />
          <FullAddress address={address} />
        </span>
        {error && <ErrorNotice error={error} />}
        <ul className="grid gap-1 text-sm">
          {holdings?.map(({ network, available, native, tokens }) => {
            const known = networks.data?.find(({ chainId }) => String(chainId) === network)
            return (
              <li key={network} className="flex flex-wrap justify-between gap-x-6">
                <span className="text-muted">{known?.name ?? network}</span>
                <span>{available ? amountsOf(known, native, tokens) : t('does not answer')}</span>
              </li>
            )
          })}
        </ul>
      </Card>
      {usable.length > 0 ? (
        <PayFromAddress eoa={eoa} networks={usable} onPaid={() => void balances.refetch()} />
      ) : (
        kinds.data && (
          <Notice title={t('No network of this wallet lets an address keep its key.')}>
            {t('Move what it holds to an account here instead.')}
          </Notice>
        )
      )}
      {holdings && networks.data && (
        <MoveAway
          eoa={eoa}
          networks={networks.data}
          holdings={holdings}
          onMoved={() => void balances.refetch()}
        />
      )}
      {networks.data && <OwnedAccountCard eoa={eoa} networks={networks.data} />}
      <WithPasskey address={address} />
    </div>
  )
}

/** Who wants a passkey: an account with a new address, which the passkey and the address own, and then the move. */
function WithPasskey({ address }: { address: Address }) {
  const { session } = useSessionState()
  const prefill = () => {
    if (!session) return
    storeDraft(`owner-kind.${session.account}`, { tab: 'address' })
    storeDraft(`recovery.${session.account}`, { address })
  }
  return (
    <Card className="grid gap-3 p-5" aria-labelledby="with-passkey">
      <h2 id="with-passkey" className="font-semibold text-lg">
        {t('Sign with a passkey as well')}
      </h2>
      <p className="text-muted text-sm">
        {t('A passkey needs an account with an address of its own. Your address becomes its second owner.')}
      </p>
      {session ? (
        <Button asChild variant="secondary" className="justify-self-start">
          <Link to="/protection#add-owner" onClick={prefill}>
            {t('Make this address an owner of {username}', { username: session.username })}
          </Link>
        </Button>
      ) : (
        <Button asChild variant="secondary" className="justify-self-start">
          <Link to="/">{t('Create an account with a passkey')}</Link>
        </Button>
      )}
      <p className="text-muted text-sm">
        {session
          ? t(
              'Then come back here, and move what your address holds. If your new account has no coins for the fee yet, move first.',
            )
          : t('Then come back here: this page goes on from there.')}
      </p>
    </Card>
  )
}

function amountsOf(network: Network | undefined, native: string | null, tokens: Holdings[number]['tokens']) {
  const [coin] = network?.currencies ?? []
  const all = [
    ...(coin ? [`${formatShortAmount(BigInt(native ?? 0), coin.decimals)} ${coin.symbol}`] : []),
    ...tokens.map(
      ({ balance, decimals, symbol }) => `${formatShortAmount(BigInt(balance), decimals)} ${symbol}`,
    ),
  ]
  return all.join(' · ')
}
