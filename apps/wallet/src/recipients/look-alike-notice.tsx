import { Button, Field, Input, Notice, Time } from '@lanyard/ui'
import { useState } from 'react'
import type { Address } from 'viem'
import { rich, t } from '../i18n/t.ts'
import { compareGroups, firstDifference, type LookAlike } from './look-alike.ts'
import type { Recipient } from './recipient.ts'

interface LookAlikeNoticeProps {
  readonly recipient: Recipient
  readonly lookAlike: LookAlike
  readonly isConfirmed: boolean
  readonly error: string | undefined
  readonly onConfirm: () => void
  /** What the button says that chooses the known person. */
  readonly instead?: string
  readonly onInstead: () => void
}

/** Shows in what a recipient differs from somebody known, and asks for the first part that differs. */
export function LookAlikeNotice({
  recipient: { address },
  lookAlike: { by, known },
  isConfirmed,
  error,
  onConfirm,
  instead,
  onInstead,
}: LookAlikeNoticeProps) {
  const [typed, setTyped] = useState('')
  const name = known.contact ?? known.username
  const { before, digits } = firstDifference(address, known.address)
  const write = (text: string) => {
    setTyped(text)
    if (text.trim().toLowerCase() === digits.toLowerCase()) onConfirm()
  }
  return (
    <Notice
      tone="warning"
      title={
        name
          ? t('This looks like {name}, and is not', { name })
          : t('This looks like an address that you know, and is not')
      }
    >
      <div className="grid gap-3">
        <p>
          {by === 'ends'
            ? t('Only the first and last digits are the same. Such addresses are made to be mistaken.')
            : t('Only the name looks the same. It belongs to another address.')}
        </p>
        <dl className="grid gap-2 rounded-field bg-surface p-3 text-ink">
          <dt className="text-muted">{t('This address')}</dt>
          <dd>
            <Compared address={address} other={known.address} />
          </dd>
          <dt className="border-line border-t pt-2 text-muted">
            {known.paidAt === undefined
              ? (name ?? t('Your account'))
              : rich('{name}, paid on {date}', {
                  name: name ?? t('No name'),
                  date: <Time at={new Date(known.paidAt).toISOString()} />,
                })}
          </dt>
          <dd>
            <Compared address={known.address} other={address} />
          </dd>
        </dl>
        {isConfirmed ? (
          <p className="font-medium">{t('You confirmed this address.')}</p>
        ) : (
          <>
            <Button className="justify-self-start" onClick={onInstead}>
              {instead ??
                (name ? t('Send to {name} instead', { name }) : t('Send to the known address instead'))}
            </Button>
            <Field
              label={t('If you mean this address, type the four digits that follow {before}', { before })}
              error={error}
            >
              {(control) => (
                <Input
                  {...control}
                  className="max-w-36 font-mono"
                  autoCapitalize="none"
                  autoComplete="off"
                  spellCheck={false}
                  maxLength={8}
                  value={typed}
                  onChange={(event) => write(event.target.value)}
                />
              )}
            </Field>
          </>
        )}
      </div>
    </Notice>
  )
}

/** A whole address. What differs from the other one is bold. */
function Compared({ address, other }: { readonly address: Address; readonly other: Address }) {
  return (
    <span
      className="figures inline-flex max-w-64 flex-wrap gap-y-0.5 font-mono text-sm leading-6 sm:text-[0.9375rem]"
      translate="no"
    >
      <span className="text-muted">0x</span>
      {compareGroups(address, other).map(({ digits, isSame }, index) =>
        isSame ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups can be equal and never move
          <span key={index} className="mr-[0.45em] text-muted">
            {digits}
          </span>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <strong key={index} className="mr-[0.45em] font-bold">
            {digits}
          </strong>
        ),
      )}
    </span>
  )
}
