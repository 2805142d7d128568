import { t } from '../../i18n/t.ts'

const promises = [
  [
    t('No password, no seed phrase.'),
    t('Your fingerprint, face or PIN unlocks a key that stays on your device.'),
  ],
  [t('One address everywhere.'), t('The same account on every network of this service.')],
  [
    t('Checked before you sign.'),
    t('This page recomputes what your passkey signs. The service can never spend for you.'),
  ],
] as const

/** Describes the wallet in a few lines. */
export function Promises() {
  return (
    <div className="grid content-start gap-7">
      <h1 className="max-w-md font-semibold text-3xl leading-tight tracking-tight sm:text-4xl">
        {t('A wallet that only you can sign for.')}
      </h1>
      <dl className="hidden gap-5 border-cord/60 border-l-2 pl-5 md:grid">
        {promises.map(([term, text]) => (
          <div key={term} className="grid gap-0.5">
            <dt className="font-medium">{term}</dt>
            <dd className="max-w-sm text-muted">{text}</dd>
          </div>
        ))}
      </dl>
      <p className="text-muted md:hidden">{t('No password and no seed phrase: a passkey on this device.')}</p>
    </div>
  )
}
