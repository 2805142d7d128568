import type { Currency, SessionCall, SessionSetUp } from '@lanyard/calls'
import { Details } from '@lanyard/ui'
import type { Address } from 'viem'
import { t } from '../i18n/t.ts'
import { KeyName, SessionWords } from './session-words.tsx'

interface SessionCallFactsProps {
  readonly description: SessionCall
  /** The SessionKeys contract. */
  readonly contract: Address
  readonly currencies: readonly Currency[]
  /** Whether it was done. */
  readonly past: boolean
}

/** Describes a grant sentence by sentence as its bytes define it, or a revocation. */
export function SessionCallFacts({ description, contract, currencies, past }: SessionCallFactsProps) {
  switch (description.kind) {
    case 'grant-session':
      return (
        <div className="grid gap-4">
          <p className="font-semibold text-xl">{t(past ? 'Granted a session key' : 'Grant a session key')}</p>
          <div className="grid gap-1">
            <p className="text-muted text-sm">{t('To the key')}</p>
            <KeyName keyId={description.keyId} />
          </div>
          <div className="grid gap-2">
            <p className="text-muted text-sm">
              {t(
                past
                  ? 'The key may do this without asking you, and nothing else:'
                  : 'It can then do this without asking you, and nothing else:',
              )}
            </p>
            <SessionWords session={description.session} currencies={currencies} />
          </div>
          <Details summary={t('Contract')}>
            <code className="break-all font-mono text-xs">{contract}</code>
          </Details>
        </div>
      )
    case 'revoke-session':
      return (
        <div className="grid gap-3">
          <p className="font-semibold text-xl">
            {t(past ? 'Revoked a session key' : 'Revoke a session key')}
          </p>
          <div className="grid gap-1">
            <p className="text-muted text-sm">
              {t(past ? 'This key can do nothing any more.' : 'This key can do nothing after that.')}
            </p>
            <KeyName keyId={description.keyId} />
          </div>
        </div>
      )
    case 'act-in-session':
      return (
        <p className="font-semibold text-xl">
          {t(past ? 'Acted with a session key' : 'Act with a session key')}
        </p>
      )
  }
}

const setUps = {
  'install-sessions': {
    owner: {
      future: t(
        'Makes the session keys contract an owner of your account, so that it can check what the keys sign.',
      ),
      past: t(
        'Made the session keys contract an owner of your account, so that it can check what the keys sign.',
      ),
    },
    module: {
      future: t('Makes it a module of your account, so that it can do what the limits allow.'),
      past: t('Made it a module of your account, so that it can do what the limits allow.'),
    },
  },
  'remove-sessions': {
    owner: {
      future: t('Removes the session keys contract from the owners of your account.'),
      past: t('Removed the session keys contract from the owners of your account.'),
    },
    module: {
      future: t('Removes it from the modules. Your account is as it was before the first session key.'),
      past: t('Removed it from the modules. Your account was as before the first session key.'),
    },
  },
} as const

interface SessionSetUpFactsProps {
  readonly description: SessionSetUp
  /** Whether it was done. */
  readonly past: boolean
}

/** Describes the calls that set up the contract for the first session or remove it after the last. */
export function SessionSetUpFacts({ description: { kind, role }, past }: SessionSetUpFactsProps) {
  return <p className="text-muted text-sm">{setUps[kind][role][past ? 'past' : 'future']}</p>
}
