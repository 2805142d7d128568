import { Button, Input } from '@lanyard/ui'
import { UserMinus, UserPlus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Address } from 'viem'
import { t } from '../i18n/t.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { maxNameLength, rememberRecipient } from './known-recipients.ts'

interface ContactControlsProps {
  readonly address: Address
  /** The name that the person chose. Undefined if the recipient is not a contact. */
  readonly contact: string | undefined
  readonly onChange: () => void
}

/** Adds or removes the person's own name for a recipient. It is stored in this browser only. */
export function ContactControls({ address, contact, onChange }: ContactControlsProps) {
  const { account } = useSession()
  const [name, setName] = useState<string>()
  const toggle = useRef<HTMLButtonElement>(null)
  const save = (next: string) => {
    rememberRecipient(account, { address, contact: next.trim() })
    setName(undefined)
    onChange()
    toggle.current?.focus()
  }
  return (
    <div className="flex basis-full flex-wrap items-center gap-2">
      <Button
        variant="quiet"
        size="small"
        className="-ml-2.5"
        ref={toggle}
        aria-expanded={contact ? undefined : name !== undefined}
        onClick={() => (contact ? save('') : setName(name === undefined ? '' : undefined))}
      >
        {contact ? (
          <UserMinus className="size-4" aria-hidden="true" />
        ) : (
          <UserPlus className="size-4" aria-hidden="true" />
        )}
        {contact ? t('Remove from contacts') : t('Save as contact')}
      </Button>
      {name !== undefined && (
        <div className="flex w-full gap-2">
          <Input
            aria-label={t('Name of the contact')}
            value={name}
            maxLength={maxNameLength}
            autoFocus
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault() // the surrounding form sends the payment
              if (name.trim()) save(name)
            }}
          />
          <Button
            variant="secondary"
            className="h-11"
            disabled={name.trim() === ''}
            onClick={() => save(name)}
          >
            {t('Save')}
          </Button>
        </div>
      )}
    </div>
  )
}
