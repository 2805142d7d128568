import { findKnownDelegate } from '@lanyard/accounts'
import { signDelegatedBuild } from '@lanyard/client'
import { Button, Card, Details, Field, HashLink, Input, Notice, Textarea } from '@lanyard/ui'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { type Address, getAddress, isAddress, parseUnits } from 'viem'
import { trpc } from '../../api/trpc.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { readServiceError } from '../../errors/service-error.ts'
import { t } from '../../i18n/t.ts'
import { NetworkSelect } from '../../networks/network-select.tsx'
import type { Network } from '../../networks/use-networks.ts'
import { submitAndFollow } from '../../operation/submit-and-follow.ts'
import { rememberRecipient } from '../../recipients/known-recipients.ts'
import { EoaWalletError, parseAuthorization, toDelegatedSigner } from '../../signers/eoa-wallet.ts'
import { useAddressField, useKnownPeople } from './address-field.tsx'
import { describeEoaProblem, type ImportedEoa, KeyFileHint } from './imported-eoa.tsx'
import { payFromOwned } from './owned-account.ts'

interface PayFromAddressProps {
  readonly eoa: ImportedEoa
  /** A Safe that the address owns, which pays in its place. */
  readonly owned?: Address
  readonly networks: readonly Network[]
  readonly onPaid: () => void
}

interface Payment {
  readonly to: Address
  /** Wei. */
  readonly value: bigint
  readonly replaceDelegate: boolean
}

/** Pays from the address by an operation. The first one on a network also lets the address run the account's contract. */
export function PayFromAddress({ eoa, owned, networks, onPaid }: PayFromAddressProps) {
  const { wallet, address } = eoa
  const title = useId()
  const [chainId, setChainId] = useState(networks[0]?.chainId ?? 0)
  const people = useKnownPeople(eoa.address)
  const to = useAddressField(owned ? [...people, { address: owned }] : people)
  const [amount, setAmount] = useState('')
  const [pasted, setPasted] = useState('')
  const [problem, setProblem] = useState<{
    readonly field: 'amount' | 'pasted'
    readonly text: string
  }>()
  const network = networks.find((one) => one.chainId === chainId)
  const coin = network?.currencies[0]

  const paying = useMutation({
    mutationFn: async ({ to: target, value, replaceDelegate }: Payment) => {
      if (owned) {
        if (!network) throw new TypeError('The select offers networks of the list only')
        return payFromOwned(eoa, owned, network, { to: target, value })
      }
      const call = { targetContractAddress: target, value: String(value), encodedData: '0x' } as const
      const request = {
        ...{ network: String(chainId), walletAddress: address, transactionDetails: [call] },
        type: 'eip7702' as const,
        ...(replaceDelegate && { replaceDelegate }),
      }
      const build = await trpc.smartAccount.build.mutate(request)
      const signer = toDelegatedSigner(wallet, address, parseAuthorization(pasted))
      const signed = await signDelegatedBuild({ build, request, signer })
      return submitAndFollow(signed.userOpHash, () =>
        trpc.smartAccount.submit.mutate({ walletAddress: address, type: 'eip7702', ...signed }),
      )
    },
    onSuccess: ({ kind }, { to: paid }) => {
      if (kind === 'included') rememberRecipient(address, { address: paid, paidAt: Date.now() })
      onPaid()
    },
  })

  function read(replaceDelegate: boolean): Payment | undefined {
    const recipient = to.read()
    const digits = coin?.decimals ?? 18
    if (!recipient) return undefined
    if (!/^\d{1,12}([.,]\d{1,18})?$/.test(amount.trim()))
      setProblem({ field: 'amount', text: t('Enter an amount, such as 0.1. 0 only switches the address.') })
    else if (pasted.trim() !== '' && !parseAuthorization(pasted))
      setProblem({
        field: 'pasted',
        text: t('This is no signed delegation. Paste all of it, from the first bracket to the last.'),
      })
    else {
      setProblem(undefined)
      return {
        to: recipient,
        value: parseUnits(amount.trim().replace(',', '.'), digits),
        replaceDelegate,
      }
    }
    return undefined
  }
  const pay = (replaceDelegate: boolean) => {
    const payment = read(replaceDelegate)
    if (payment && !paying.isPending) paying.mutate(payment)
  }
  const errorOf = (field: string) => (problem?.field === field ? problem.text : undefined)
  const service = readServiceError(paying.error)
  const elsewhere = service?.code === 'DELEGATED_ELSEWHERE' ? service.body.delegate : undefined
  const unlike = describeEoaProblem(paying.error)
  const own = paying.error instanceof EoaWalletError ? paying.error.problem : undefined
  return (
    <Card className="grid gap-4 p-5" aria-labelledby={title}>
      <h2 id={title} className="font-semibold text-lg">
        {owned ? t('Pay from the Safe') : t('Pay from your address')}
      </h2>
      <p className="text-muted text-sm">
        {owned
          ? t('Your wallet signs once. The Safe pays the fee, or this service does.')
          : t(
              'The first payment on a network also lets your address run the account’s contract. Your wallet asks for two signatures then, later for one.',
            )}
      </p>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          pay(false)
        }}
      >
        <NetworkSelect label={t('Network')} networks={networks} chainId={chainId} onChange={setChainId} />
        {to.render(t('To (address)'))}
        <Field label={t('Amount in {symbol}', { symbol: coin?.symbol ?? '' })} error={errorOf('amount')}>
          {(control) => (
            <Input
              {...control}
              value={amount}
              inputMode="decimal"
              autoComplete="off"
              onChange={(event) => setAmount(event.target.value)}
            />
          )}
        </Field>
        {!owned && (
          <Details summary={t('The delegation was signed elsewhere')}>
            <Field
              label={t('Signed delegation')}
              hint={t('The text that lanyard-key.html gave you for this network.')}
              error={errorOf('pasted')}
            >
              {(control) => (
                <Textarea
                  {...control}
                  rows={3}
                  value={pasted}
                  onChange={(event) => setPasted(event.target.value)}
                />
              )}
            </Field>
          </Details>
        )}
        {typeof elsewhere === 'string' && isAddress(elsewhere) ? (
          <OtherDelegate delegate={elsewhere} busy={paying.isPending} onSwitch={() => pay(true)} />
        ) : own === 'NO_AUTHORIZATIONS' ? (
          <Notice tone="warning" title={t('Your wallet does not sign delegations for websites.')}>
            <p>
              {t(
                'Most wallets of browsers do not, to protect you. Nothing was signed. Your address works in your wallet as before. You can move what it holds to an account here, below.',
              )}
            </p>
            <KeyFileHint />
          </Notice>
        ) : own === 'OTHER_AUTHORIZATION' ? (
          <Notice tone="error" title={t('The pasted delegation does not fit.')}>
            {t(
              'It is for another network or address, or the address has sent a transaction since. Sign a new one.',
            )}
          </Notice>
        ) : unlike ? (
          <Notice tone="error" {...unlike} />
        ) : (
          paying.error && <ErrorNotice error={paying.error} />
        )}
        {paying.data && (
          <Notice
            title={
              paying.data.kind === 'included'
                ? owned
                  ? t('Paid from the Safe.')
                  : t('Paid from your address.')
                : paying.data.kind === 'reverted'
                  ? t('It was included, but the payment failed.')
                  : t('It was not sent, and cannot be any more.')
            }
          >
            {paying.data.reason && <p>{paying.data.reason}</p>}
            {paying.data.txnHash && (
              <HashLink hash={paying.data.txnHash} explorerUrl={network?.explorerUrl} />
            )}
          </Notice>
        )}
        <Button type="submit" size="large" busy={paying.isPending}>
          {t('Sign in your wallet and pay')}
        </Button>
      </form>
    </Card>
  )
}

interface OtherDelegateProps {
  readonly delegate: Address
  readonly busy: boolean
  readonly onSwitch: () => void
}

/** Names the contract that the address runs already, and what switching means for its storage. */
function OtherDelegate({ delegate, busy, onSwitch }: OtherDelegateProps) {
  const known = findKnownDelegate(delegate)
  return (
    <Notice
      tone="warning"
      title={
        known
          ? t('Your address runs the contract of {name} on this network.', { name: known.name })
          : t('Your address runs another contract on this network.')
      }
      action={
        <Button variant="secondary" busy={busy} onClick={onSwitch}>
          {t('Switch the contract, and pay')}
        </Button>
      }
    >
      <p className="break-all font-mono text-xs">{getAddress(delegate)}</p>
      <p>
        {known?.storage === 'none'
          ? t('It keeps nothing in your account’s storage, so nothing collides.')
          : known
            ? t(
                'It keeps its data in slots of its own (ERC-7201). The new contract reads none, so nothing collides.',
              )
            : t(
                'We do not know it: it may keep data in any slot. The new contract reads none, so nothing collides.',
              )}{' '}
        {t('What it stored, such as other keys, counts again if you return to it.')}
      </p>
    </Notice>
  )
}
