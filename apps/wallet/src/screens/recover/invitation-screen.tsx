import { Card, CopyButton, Notice, Screen } from '@lanyard/ui'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { isAddressEqual } from 'viem'
import type { Session } from '../../api/stored-session.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useGuardians } from '../../guardians/guardian.ts'
import { answerLink, type Invitation, readInvitation } from '../../guardians/invitation.ts'
import { proveWithAccount, proveWithWallet, sendProof } from '../../guardians/sign-as-guardian.ts'
import { t } from '../../i18n/t.ts'
import { useSessionState } from '../../sign-in/session-context.tsx'
import type { InjectedWallet } from '../../signers/injected-wallets.ts'
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
            'On this page, you answer a person who wants you as a guardian. You need the link that this person sends you: it says who asks.',
          )}
          other={{ to: '/protection', label: t('Do you want guardians for your own account? Choose them') }}
        />
      )}
    </Screen>
  )
}

function Answer({ invitation: { account, name } }: { invitation: Invitation }) {
  const { session } = useSessionState()
  const overview = useGuardians(account)
  const answering = useMutation({
    mutationFn: async (by: InjectedWallet | Session) => {
      const answer = await ('provider' in by ? proveWithWallet(by, account) : proveWithAccount(by, account))
      const isNamed = overview.data?.guardians.some(({ guardian }) =>
        isAddressEqual(guardian, answer.guardian),
      )
      // A guardian practises: the owner sees it without a link.
      if (isNamed) await sendProof(account, answer)
      return { answer, isNamed }
    },
  })
  // As the service says it: what is signed does not depend on it.
  const practises = overview.data?.guardians.some(
    ({ username }) => username !== undefined && username === session?.username,
  )
  const isOther = session && !isAddressEqual(session.account, account)
  if (answering.data?.isNamed)
    return (
      <Notice title={t('It works: you can sign for this account.')}>
        {t('The owner sees it now. Nothing was started, and nothing moved.')}
      </Notice>
    )
  if (answering.data) {
    const link = answerLink(answering.data.answer)
    return (
      <Card aria-labelledby="answer" className="grid gap-4 p-5">
        <h2 id="answer" className="font-semibold text-lg">
          {t('Send this link back')}
        </h2>
        <div className="flex flex-wrap items-center gap-3 rounded-field bg-sunken p-3">
          <code className="min-w-0 flex-1 break-all font-mono text-xs">{link}</code>
          <CopyButton text={link} label={t('Copy the link')} />
        </div>
        <p className="text-muted text-sm">
          {answering.data.answer.key
            ? t('You are a guardian once {name} has opened it and signed. Keep this passkey.', { name })
            : t('You are a guardian once {name} has opened it and signed. Keep the key of this address.', {
                name,
              })}
        </p>
      </Card>
    )
  }
  return (
    <Card aria-labelledby="invitation" className="grid gap-4 p-5">
      <h2 id="invitation" className="wrap-anywhere font-semibold text-lg">
        {practises
          ? t('Someone who says they are {name} asks you to practise', { name })
          : t('Someone who says they are {name} trusts you with their account', { name })}
      </h2>
      {practises ? (
        <ul className="grid list-disc gap-1.5 pl-5 text-sm">
          <li>
            {t('You sign once, exactly as you would in an emergency. It starts nothing, and nothing moves.')}
          </li>
          <li>{t('The owner then sees that you can help.')}</li>
        </ul>
      ) : (
        <ul className="grid list-disc gap-1.5 pl-5 text-sm">
          <li>{t('If they lose every passkey, they ask you to sign. It costs you nothing.')}</li>
          <li>{t('You cannot move their money. They choose how many guardians must agree.')}</li>
          <li>{t('Now you sign once to show that you can. It starts nothing.')}</li>
          <li>{t('Before you ever sign a recovery, call them. Another person may ask in their name.')}</li>
        </ul>
      )}
      {answering.error && <ErrorNotice error={answering.error} undone={t('You did not answer.')} />}
      <SignerButtons
        account={
          isOther
            ? {
                label: practises
                  ? t('Practise as {username}', { username: session.username })
                  : t('Answer as {username}', { username: session.username }),
                onPress: () => answering.mutate(session),
              }
            : undefined
        }
        walletLabel={({ name: wallet }) => t('Answer with {wallet}', { wallet })}
        onWallet={answering.mutate}
        busy={answering.isPending || overview.isPending}
      >
        {() =>
          session &&
          !isOther && (
            <p className="text-muted text-sm">{t('This is your own link: send it to a person you trust.')}</p>
          )
        }
      </SignerButtons>
    </Card>
  )
}
