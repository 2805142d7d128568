import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { type Address, getAddress, isAddressEqual } from 'viem'
import { answerLink, type Invitation, readInvitation } from '../../guardians/invitation.ts'
import { t } from '../../i18n/t.ts'
import type { InjectedWallet } from '../../owners/injected-wallets.ts'
import { useSessionState } from '../../sign-in/session-context.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Screen } from '../../ui/screen.tsx'
import { NoLink } from './no-link.tsx'
import { SignerButtons } from './signer-buttons.tsx'

/** Somebody is asked to be a guardian: what it means, and the link that answers. */
export function InvitationScreen() {
  const { hash } = useLocation()
  const invitation = readInvitation(hash)
  return (
    <Screen title={t('Become a guardian')} narrow>
      {invitation ? (
        <Answer key={hash} invitation={invitation} />
      ) : (
        <NoLink
          isBroken={hash !== ''}
          purpose={t(
            'Here you answer somebody who wants you as a guardian of their account. You need the link that this person sends you: it says who asks.',
          )}
          other={{ to: '/guardians', label: t('Do you want guardians for your own account? Choose them') }}
        />
      )}
    </Screen>
  )
}

function Answer({ invitation: { account, name } }: { invitation: Invitation }) {
  const { session } = useSessionState()
  const [answer, setAnswer] = useState<Address>()
  const asking = useMutation({
    mutationFn: ({ provider }: InjectedWallet) => provider.request({ method: 'eth_requestAccounts' }),
    onSuccess: ([first]) => first && setAnswer(getAddress(first)),
  })
  const isOther = session && !isAddressEqual(session.account, account)
  if (answer)
    return (
      <Card aria-labelledby="answer" className="grid gap-4 p-5">
        <h2 id="answer" className="font-semibold text-lg">
          {t('Send this link back')}
        </h2>
        <div className="flex flex-wrap items-center gap-3 rounded-field bg-sunken p-3">
          <code className="min-w-0 flex-1 break-all font-mono text-xs">{answerLink(answer)}</code>
          <CopyButton text={answerLink(answer)} label={t('Copy the link')} />
        </div>
        <p className="text-muted text-sm">
          {t('You are a guardian once {name} has opened it and signed. Keep the key of this address.', {
            name,
          })}
        </p>
      </Card>
    )
  return (
    <Card aria-labelledby="invitation" className="grid gap-4 p-5">
      <h2 id="invitation" className="wrap-anywhere font-semibold text-lg">
        {t('Someone who says they are {name} trusts you with their account', { name })}
      </h2>
      <ul className="grid list-disc gap-1.5 pl-5 text-sm">
        <li>{t('If they lose every passkey, they ask you to sign. It costs you nothing.')}</li>
        <li>{t('You cannot move their money, and you can do nothing alone.')}</li>
        <li>{t('Before you ever sign, call them. Somebody else may ask in their name.')}</li>
      </ul>
      {asking.error && <ErrorNotice error={asking.error} />}
      <SignerButtons
        account={
          isOther
            ? {
                label: t('Answer as {username}', { username: session.username }),
                onPress: () => setAnswer(session.account),
              }
            : undefined
        }
        walletLabel={({ name }) => t('Answer with {wallet}', { wallet: name })}
        onWallet={asking.mutate}
        busy={asking.isPending}
      />
    </Card>
  )
}
