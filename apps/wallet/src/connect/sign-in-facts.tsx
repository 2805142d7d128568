import type { AccountMessage } from '@lanyard/accounts'
import { Fact, Notice, Time } from '@lanyard/ui'
import { rich, t } from '../i18n/t.ts'
import { showText } from '../messages/decode-typed-data.ts'
import type { SignIn } from '../messages/describe-sign-in.ts'

/** Describes a sign-in (ERC-4361) that is already known to be for the requesting page. */
export function SignInFacts({ signIn: { domain, statement, resources, expiresAt } }: { signIn: SignIn }) {
  return (
    <div className="grid gap-3">
      <p>
        {rich('You sign in to {name}. It can act as you there; your account here is not touched.', {
          name: <strong className="wrap-anywhere font-semibold">{domain}</strong>,
        })}
      </p>
      {statement && (
        <blockquote className="wrap-anywhere border-line border-l-2 pl-3">{statement}</blockquote>
      )}
      {resources.length > 0 && (
        <div className="grid gap-1 text-sm">
          <p className="text-muted">{t('It also lists')}</p>
          <ul className="wrap-anywhere list-disc pl-5">
            {resources.map((resource) => (
              <li key={resource}>{resource}</li>
            ))}
          </ul>
        </div>
      )}
      {expiresAt && (
        <dl className="text-sm">
          <Fact term={t('Valid until')}>
            <Time at={expiresAt.toISOString()} />
          </Fact>
        </dl>
      )}
    </div>
  )
}

/** The text to be signed, or the bytes if they are not text. */
export function MessageFacts({ message }: { message: Exclude<AccountMessage, { typedData: unknown }> }) {
  const isText = 'message' in message
  return (
    <>
      {!isText && (
        <Notice tone="warning" title={t('This is not text.')}>
          {t('Nobody can read these bytes. Sign only if you know where they come from.')}
        </Notice>
      )}
      <p className="wrap-anywhere whitespace-pre-wrap rounded-field bg-sunken p-3.5 font-mono text-sm">
        {isText ? showText(message.message) : message.rawMessage}
      </p>
    </>
  )
}
