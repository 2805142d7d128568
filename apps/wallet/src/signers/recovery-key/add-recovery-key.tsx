import { Button, download, Field, Input, Notice } from '@lanyard/ui'
import { Download, KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { t } from '../../i18n/t.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import type { OwnerAddition } from '../signer-kind.ts'
import type { RecoveryWords } from './recovery-words.ts'

/** The words that the person types to show that they have them, counted from 1. */
const request = [3, 9] as const

/** Makes a recovery key on this device, for people without another wallet. The words exist only on this screen. */
export function AddRecoveryKey({ onChange }: { onChange: (change: OwnerAddition) => void }) {
  const { account } = useSession()
  const [key, setKey] = useState<RecoveryWords>()
  const [isKept, setKept] = useState(false)
  if (!key)
    return (
      <div className="grid gap-4">
        <p className="text-muted text-sm">
          {t(
            'Twelve words that you write down or save. They work even if this service is gone. Whoever has them can spend everything.',
          )}
        </p>
        <Button
          className="justify-self-start"
          onClick={async () => {
            const { makeRecoveryWords } = await import('./recovery-words.ts')
            setKey(await makeRecoveryWords(account))
          }}
        >
          <KeyRound className="size-4" aria-hidden="true" />
          {t('Make a recovery key')}
        </Button>
      </div>
    )
  if (isKept)
    return (
      <CheckWords
        words={key.words}
        onBack={() => setKept(false)}
        onProven={() => {
          const { address, consent } = key
          onChange({ kind: 'add', candidate: { kind: 'eoa', address, consent } })
        }}
      />
    )
  return (
    <div className="grid gap-4">
      <Notice tone="warning" title={t('Keep these words where nobody else finds them.')}>
        {t('They were made on this device, and nobody else has them. They are not shown again.')}
      </Notice>
      <ol
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,8.5rem),1fr))] gap-x-4 gap-y-1.5 rounded-field bg-sunken p-4 font-mono text-sm"
        aria-label={t('Recovery key')}
        translate="no"
      >
        {key.words.map((word, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a word can occur twice, and the order is fixed
          <li key={index} className="flex gap-2">
            <span className="figures w-6 text-right text-muted" aria-hidden="true">
              {index + 1}
            </span>
            {word}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2.5">
        <Button onClick={() => setKept(true)}>{t('I have kept them')}</Button>
        <Button
          variant="secondary"
          onClick={async () => {
            const { formatRecoveryWords } = await import('./recovery-words.ts')
            download(
              `recovery-key-${account.slice(0, 8)}.txt`,
              formatRecoveryWords(key, account),
              'text/plain',
            )
          }}
        >
          <Download className="size-4" aria-hidden="true" />
          {t('Save as a file')}
        </Button>
      </div>
    </div>
  )
}

interface CheckWordsProps {
  readonly words: readonly string[]
  readonly onProven: () => void
  readonly onBack: () => void
}

/** A key that was not written down recovers nothing. */
function CheckWords({ words, onProven, onBack }: CheckWordsProps) {
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>({})
  const [wrong, setWrong] = useState<readonly number[]>([])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const differing = request.filter((place) => typed[place]?.trim().toLowerCase() !== words[place - 1])
    setWrong(differing)
    if (differing.length === 0) onProven()
  }
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <p className="text-muted text-sm">{t('Type two of the words, to be sure that you have them.')}</p>
      {request.map((place) => (
        <Field
          key={place}
          label={t('Word {place}', { place })}
          error={wrong.includes(place) ? t('This is another word. Look at what you kept.') : undefined}
        >
          {(control) => (
            <Input
              {...control}
              value={typed[place] ?? ''}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => {
                setTyped({ ...typed, [place]: event.target.value })
                setWrong([])
              }}
            />
          )}
        </Field>
      ))}
      <div className="flex flex-wrap gap-2.5">
        <Button type="submit">{t('Check and continue')}</Button>
        <Button variant="secondary" onClick={onBack}>
          {t('Show the words again')}
        </Button>
      </div>
    </form>
  )
}
