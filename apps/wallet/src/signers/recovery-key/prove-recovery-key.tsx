import { Button, CopyButton, Details, Field, FullAddress, Identicon, Notice, Textarea } from '@lanyard/ui'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Hex } from 'viem'
import { rich, t } from '../../i18n/t.ts'
import { findInjectedWallets, type InjectedWallet, signWithInjectedWallet } from '../injected-wallets.ts'
import { checkRecoveryProof, type RecoveryChallenge } from './recovery-proof.ts'

interface ProveRecoveryKeyProps {
  readonly challenge: RecoveryChallenge
  /** @param signature - undefined for a contract, which has no key */
  readonly onProven: (signature?: Hex) => void
  readonly onBack: () => void
}

/**
 * Has the recovery key sign once. A key that nobody can use recovers nothing, and a key of somebody else
 * gives the account away.
 */
export function ProveRecoveryKey({ challenge, onProven, onBack }: ProveRecoveryKeyProps) {
  const { address, text } = challenge
  const [wallets, setWallets] = useState<readonly InjectedWallet[]>([])
  const [signature, setSignature] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  useEffect(
    () =>
      findInjectedWallets((wallet) =>
        setWallets((last) => [...last.filter(({ id }) => id !== wallet.id), wallet]),
      ),
    [],
  )
  const proof = useMutation({
    mutationFn: async (sign: () => string | Promise<string>) => checkRecoveryProof(challenge, await sign()),
    onSuccess: (checked) => {
      if ('signature' in checked) onProven(checked.signature)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!proof.isPending) proof.mutate(() => signature)
  }
  return (
    <div className="grid gap-4">
      <div className="grid gap-2">
        <h3 ref={heading} tabIndex={-1} className="font-medium">
          {t('Show that you hold this key')}
        </h3>
        <span className="flex items-center gap-2.5">
          <Identicon address={address} className="size-8" />
          <FullAddress address={address} />
        </span>
        <p className="text-muted text-sm">
          {t('Sign a short text with it. The signature moves nothing: it shows that the key exists.')}
        </p>
      </div>
      {wallets.length > 0 && (
        <div className="flex flex-wrap gap-2.5">
          {wallets.map((wallet) => (
            <Button
              key={wallet.id}
              variant="secondary"
              busy={proof.isPending}
              onClick={() => proof.mutate(() => signWithInjectedWallet(wallet, address, text))}
            >
              {rich('Sign with {wallet}', { wallet: wallet.name })}
            </Button>
          ))}
        </div>
      )}
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <div className="grid gap-2">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="font-medium text-sm">{t('Text to sign')}</p>
            <CopyButton text={text} label={t('Copy the text to sign')} />
          </div>
          <pre className="wrap-anywhere whitespace-pre-wrap rounded-field bg-sunken p-3 font-mono text-xs leading-5">
            {text}
          </pre>
        </div>
        <Field
          label={t('Signature')}
          hint={t('In the wallet that holds the key, choose “Sign message” and paste the result.')}
          error={
            proof.error
              ? t('The wallet did not sign. Try again, or paste a signature.')
              : proof.data && 'problem' in proof.data
                ? proof.data.problem
                : undefined
          }
        >
          {(control) => (
            <Textarea
              {...control}
              className="font-mono text-sm"
              value={signature}
              placeholder="0x…"
              onChange={(event) => {
                setSignature(event.target.value)
                proof.reset()
              }}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-2.5">
          <Button type="submit" busy={proof.isPending}>
            {t('Check and continue')}
          </Button>
          <Button variant="secondary" onClick={onBack}>
            {t('Back')}
          </Button>
        </div>
      </form>
      <Details summary={t('This owner cannot sign here')}>
        <Notice tone="warning" title={t('Without a proof, a mistake is final.')}>
          <div className="grid justify-items-start gap-3">
            <p>
              {t(
                'A contract, such as another Safe, has no key that signs a text. If the address is wrong, nobody can recover the account with it, or somebody else can take everything.',
              )}
            </p>
            <Button variant="danger" size="small" onClick={() => onProven()}>
              {t('Add it without a proof')}
            </Button>
          </div>
        </Notice>
      </Details>
    </div>
  )
}
