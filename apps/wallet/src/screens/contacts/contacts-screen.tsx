import { Avatar, Button, Card, CopyButton, download, EmptyState, FullAddress, Screen } from '@lanyard/ui'
import { Download, Send } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { t } from '../../i18n/t.ts'
import { ContactControls } from '../../recipients/contact-controls.tsx'
import { type KnownRecipient, readRecipients } from '../../recipients/known-recipients.ts'
import { useSession } from '../../sign-in/session-context.tsx'

/** The people whom the person named. They are stored in this browser only. */
export function ContactsScreen() {
  const { account } = useSession()
  const [, setChanges] = useState(0)
  const contacts = readRecipients(account).filter(({ contact }) => contact)
  const save = () =>
    download(
      'contacts.json',
      JSON.stringify(
        contacts.map(({ contact, username, address }) => ({ name: contact, username, address })),
        null,
        2,
      ),
    )
  return (
    <Screen
      title={t('Contacts')}
      narrow
      intro={t('Only this browser has them. Save a copy before you clear its data.')}
      aside={
        contacts.length > 0 && (
          <Button variant="secondary" size="small" onClick={save}>
            <Download className="size-4" aria-hidden="true" />
            {t('Save a copy')}
          </Button>
        )
      }
    >
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
