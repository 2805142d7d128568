import { Button } from '@lanyard/ui'
import { useParams } from 'react-router'
import { Welcome } from '../ui/welcome.tsx'

interface Denial {
  readonly title: string
  readonly text: string
}

const unknown: Denial = {
  title: 'You are not signed in',
  text: 'Try again. If it stays like this, ask an administrator of this service.',
}

const denials: Readonly<Record<string, Denial>> = {
  'no-group': {
    title: 'You have no access here',
    text: 'The identity provider knows you, and none of your groups has a role in this console. Ask an administrator of the identity provider to add you to one that CONSOLE_OIDC_ROLES names, then sign in again.',
  },
  disabled: {
    title: 'Your access was ended here',
    text: 'An administrator of this console has disabled you. Your groups at the identity provider do not change that; only they can say why.',
  },
  'other-browser': {
    title: 'This sign-in was not begun here',
    text: 'It was begun in another browser, or more than ten minutes ago. Begin again on this page. If you followed a link that somebody sent you, do not.',
  },
  refused: {
    title: 'The identity provider did not sign you in',
    text: 'You or the provider stopped it, or its answer could not be verified. Try again; the log of the console has the reason.',
  },
  unavailable: {
    title: 'The identity provider does not answer',
    text: 'Try again in a moment. In an emergency, a break-glass operator signs in with a passkey.',
  },
}

/** Why a sign-in failed, and what to do. */
export function DeniedScreen() {
  const { reason = '' } = useParams()
  const { title, text } = denials[reason] ?? unknown
  return (
    <Welcome title={title}>
      <p>{text}</p>
      <Button size="large" onClick={() => location.assign('/')}>
        To the sign-in
      </Button>
    </Welcome>
  )
}
