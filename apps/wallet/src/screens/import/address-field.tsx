import { Field, Input } from '@lanyard/ui'
import { useState } from 'react'
import type { Address } from 'viem'
import { t } from '../../i18n/t.ts'
import { type KnownRecipient, readRecipients } from '../../recipients/known-recipients.ts'
import { findLookAlike } from '../../recipients/look-alike.ts'
import { LookAlikeNotice } from '../../recipients/look-alike-notice.tsx'
import { parseAddress } from '../../recipients/recipient.ts'
import { useSessionState } from '../../sign-in/session-context.tsx'

/** Whom an address typed here could be taken for: the address itself, the signed-in account, and who was paid from both. */
export function useKnownPeople(address: Address): readonly KnownRecipient[] {
  const { session } = useSessionState()
  return [
    ...readRecipients(address),
    ...(session ? readRecipients(session.account) : []),
    { address },
    ...(session ? [{ address: session.account, username: session.username }] : []),
  ]
}

/** A field for an address, which asks about one that looks like a known one. */
export function useAddressField(people: readonly KnownRecipient[], initial = '') {
  const [text, setText] = useState(initial)
  const [problem, setProblem] = useState<string>()
  const [confirmed, setConfirmed] = useState<Address>()
  const parsed = parseAddress(text)
  const recipient = parsed.ok ? { address: parsed.address } : undefined
  const lookAlike = recipient && findLookAlike(recipient, people)
  const isConfirmed = recipient !== undefined && confirmed === recipient.address
  const set = (next: string) => {
    setText(next)
    setProblem(undefined)
  }
  return {
    text,
    set,
    /** The address; undefined if the field says why it is none yet. */
    read(): Address | undefined {
      if (!parsed.ok) setProblem(parsed.message)
      else if (lookAlike && !isConfirmed) setProblem(t('Compare this address first.'))
      else return parsed.address
      return undefined
    },
    setProblem,
    /** The field, with what it asks. */
    render: (label: string, onChange?: () => void) => {
      const change = (next: string) => {
        set(next)
        onChange?.()
      }
      return (
        <>
          <Field label={label} error={lookAlike ? undefined : problem}>
            {(control) => (
              <Input
                {...control}
                value={text}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => change(event.target.value)}
              />
            )}
          </Field>
          {recipient && lookAlike && (
            <LookAlikeNotice
              key={recipient.address}
              recipient={recipient}
              lookAlike={lookAlike}
              isConfirmed={isConfirmed}
              error={problem}
              onConfirm={() => {
                setConfirmed(recipient.address)
                setProblem(undefined)
              }}
              onInstead={() => change(lookAlike.known.address)}
            />
          )}
        </>
      )
    },
  }
}
