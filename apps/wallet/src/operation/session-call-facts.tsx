import type { Address } from 'viem'
import type { Currency } from '../amounts/currency.ts'
import type { SessionCall, SessionSetUp } from '../calls/describe-session-call.ts'
import { t } from '../i18n/t.ts'
import { KeyName } from '../session-keys/key-name.tsx'
import { SessionWords } from '../session-keys/session-words.tsx'
import { Details } from '../ui/details.tsx'

interface SessionCallFactsProps {
  readonly description: SessionCall
  /** The SessionKeys contract. */
  readonly contract: Address
  readonly currencies: readonly Currency[]
}

/** Describes a grant sentence by sentence as its bytes define it, or a revocation. */
export function SessionCallFacts({ description, contract, currencies }: SessionCallFactsProps) {
  switch (description.kind) {
    case 'grant-session':
      return (
        <div className="grid gap-4">
          <p className="font-semibold text-xl">{t('Grant a session key')}</p>
          <div className="grid gap-1">
            <p className="text-muted text-sm">{t('To the key')}</p>
            <KeyName keyId={description.keyId} />
          </div>
          <div className="grid gap-2">
            <p className="text-muted text-sm">
              {t('It can then do this without asking you, and nothing else:')}
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
          <p className="font-semibold text-xl">{t('Revoke a session key')}</p>
          <div className="grid gap-1">
            <p className="text-muted text-sm">{t('This key can do nothing after that.')}</p>
            <KeyName keyId={description.keyId} />
          </div>
        </div>
      )
    case 'act-in-session':
      return <p className="font-semibold text-xl">{t('Act with a session key')}</p>
  }
}

const setUps = {
  'install-sessions': {
    owner: t(
      'Makes the session keys contract an owner of your account, so that it can check what the keys sign.',
    ),
    module: t('Makes it a module of your account, so that it can do what the limits allow.'),
  },
  'remove-sessions': {
    owner: t('Removes the session keys contract from the owners of your account.'),
    module: t('Removes it from the modules. Your account is as it was before the first session key.'),
  },
} as const

/** Describes the calls that set up the contract for the first session or remove it after the last. */
export function SessionSetUpFacts({ description: { kind, role } }: { description: SessionSetUp }) {
  return <p className="text-muted text-sm">{setUps[kind][role]}</p>
}
