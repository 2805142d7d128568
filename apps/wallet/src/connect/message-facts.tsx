import type { AccountMessage } from '@lanyard/accounts'
import { Notice } from '@lanyard/ui'
import { t } from '../i18n/t.ts'
import { showText } from '../messages/show-text.ts'

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
