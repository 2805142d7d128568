import {
  Avatar,
  Button,
  Card,
  CopyButton,
  download,
  EmptyState,
  FullAddress,
  Notice,
  Screen,
} from '@lanyard/ui'
import { Download, Send, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { t } from '../../i18n/t.ts'
import { ContactControls } from '../../recipients/contact-controls.tsx'
import {
  addContacts,
  contactsFile,
  type KnownRecipient,
  readRecipients,
} from '../../recipients/known-recipients.ts'
import { useSession } from '../../sign-in/session-context.tsx'

/** The people whom the person named. They are stored in this browser only. */
export function ContactsScreen() {
  const { account } = useSession()
  const [, setChanges] = useState(0)
  const contacts = readRecipients(account).filter(({ contact }) => contact)
  const [added, setAdded] = useState<number | 'unreadable'>()
  const file = useRef<HTMLInputElement>(null)
  const add = (files: FileList | null) =>
    void files?.[0]?.text().then((text) => setAdded(addContacts(account, text) ?? 'unreadable'))
  return (
    <Screen
      title={t('Contacts')}
      narrow
      intro={t('Only this browser has them. Save a copy before you clear its data.')}
      aside={
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="small" onClick={() => file.current?.click()}>
            <Upload className="size-4" aria-hidden="true" />
            {t('Add from a file')}
          </Button>
          <input
            ref={file}
            type="file"
            accept=".json,application/json"
            hidden
            aria-label={t('Add from a file')}
            onChange={({ target }) => {
              add(target.files)
              target.value = '' // the same file can be chosen again
            }}
          />
          {contacts.length > 0 && (
            <Button
              variant="secondary"
              size="small"
              onClick={() => download('contacts.json', contactsFile(contacts))}
            >
              <Download className="size-4" aria-hidden="true" />
              {t('Save a copy')}
            </Button>
          )}
        </div>
      }
    >
      <div role="status" className="empty:hidden">
        {added === 'unreadable' ? (
          <Notice tone="warning">
            {t('This file holds no contacts. Choose a copy that this wallet saved.')}
          </Notice>
        ) : added !== undefined ? (
          <Notice>
            {t('{count, plural, one {# contact was added.} other {# contacts were added.}}', {
              count: added,
            })}
          </Notice>
        ) : null}
      </div>
      {contacts.length === 0 ? (
        <EmptyState
          title={t('No contacts yet')}
          action={
            <Button asChild variant="secondary">
              <Link to="/send">{t('Send')}</Link>
            </Button>
          }
        >
          {t('Choose “Save as contact” when you pay somebody.')}
        </EmptyState>
      ) : (
        <Card>
          <ul className="divide-y divide-line" aria-label={t('Contacts')}>
            {contacts.map((contact) => (
              <ContactRow
                key={contact.address}
                contact={contact}
                onChange={() => setChanges((changes) => changes + 1)}
              />
            ))}
          </ul>
        </Card>
      )}
    </Screen>
  )
}

interface ContactRowProps {
  readonly contact: KnownRecipient
  readonly onChange: () => void
}

function ContactRow({ contact: { address, contact = '', username }, onChange }: ContactRowProps) {
  return (
    <li className="flex gap-3 p-4 sm:px-5">
      <Avatar name={contact} />
      <div className="grid min-w-0 flex-1 gap-2">
        <p className="min-w-0 [overflow-wrap:anywhere]">
          <span className="font-medium">{contact}</span>{' '}
          {username && username !== contact && <span className="text-muted text-sm">{username}</span>}
        </p>
        <FullAddress address={address} />
        <div className="flex flex-wrap items-center gap-2">
          <Button asChild variant="secondary" size="small">
            <Link to={`/send?to=${address}`}>
              <Send className="size-4" aria-hidden="true" />
              {t('Send')}
            </Link>
          </Button>
          <CopyButton text={address} label={t('Copy the address of {name}', { name: contact })} />
          <ContactControls address={address} contact={contact} onChange={onChange} />
        </div>
      </div>
    </li>
  )
}
