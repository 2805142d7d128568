import { Button, Card, TabPanel, Tabs, useStoredDraft } from '@lanyard/ui'
import { t } from '../../i18n/t.ts'
import type { OwnerAddition } from '../../owners/owner-change.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { AddRecoveryAddress } from './add-recovery-address.tsx'
import { AddRecoveryKey } from './add-recovery-key.tsx'
import { replaceTitle } from './replace-title.ts'

const tabs = [
  { value: 'passkey', label: t('Passkey') },
  { value: 'key', label: t('Recovery key') },
  { value: 'address', label: t('Address') },
] as const

type Tab = (typeof tabs)[number]['value']

interface AddOwnerProps {
  /** Instead of another owner, one that takes the place of this one. */
  readonly replaced?: { readonly label: string | undefined; readonly onCancel: () => void }
  readonly onChange: (change: OwnerAddition) => void
}

/** The kinds of additional owners, the simplest first: an address that signs is for experts. */
export function AddOwner({ replaced, onChange }: AddOwnerProps) {
  const { account } = useSession()
  const { draft, change } = useStoredDraft<{ tab: Tab }>(`owner-kind.${account}`, { tab: 'passkey' })
  return (
    <Card aria-labelledby="add-owner" className="grid gap-4 p-5">
      <h2 id="add-owner" tabIndex={-1} className="scroll-mt-6 font-semibold">
        {replaced ? replaceTitle(replaced.label) : t('Add an owner')}
      </h2>
      {replaced && (
        <p className="text-muted text-sm">
          {t('First choose what takes its place. Nothing changes before you sign.')}
        </p>
      )}
      <Tabs label={t('Kind of owner')} value={draft.tab} onChange={(tab) => change({ tab })} tabs={tabs}>
        <TabPanel value="passkey" className="mt-5">
          <AddPasskey onChange={onChange} />
        </TabPanel>
        <TabPanel value="key" className="mt-5">
          <AddRecoveryKey onChange={onChange} />
        </TabPanel>
        <TabPanel value="address" className="mt-5">
          <AddRecoveryAddress onChange={onChange} />
        </TabPanel>
      </Tabs>
      {replaced && (
        <Button variant="secondary" className="justify-self-start" onClick={replaced.onCancel}>
          {t('Keep this owner')}
        </Button>
      )}
    </Card>
  )
}
