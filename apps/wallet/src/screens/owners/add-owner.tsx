import { Button, Card, TabPanel, Tabs, useStoredDraft } from '@lanyard/ui'
import { t } from '../../i18n/t.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import type { OwnerAddition } from '../../signers/signer-kind.ts'
import { signerKinds } from '../../signers/signer-kinds.ts'

interface AddOwnerProps {
  /** Instead of another owner, one that takes the place of this one. */
  readonly replaced?: { readonly label: string | undefined; readonly onCancel: () => void }
  readonly onChange: (change: OwnerAddition) => void
}

/** The ways to add an owner, by the kinds of signers. */
export function AddOwner({ replaced, onChange }: AddOwnerProps) {
  const { account } = useSession()
  const tabs = signerKinds.flatMap(({ additions }) => additions)
  const { draft, change } = useStoredDraft(`owner-kind.${account}`, { tab: tabs[0]?.value ?? '' })
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
        {tabs.map(({ value, Form }) => (
          <TabPanel key={value} value={value} className="mt-5">
            <Form onChange={onChange} />
          </TabPanel>
        ))}
      </Tabs>
      {replaced && (
        <Button variant="secondary" className="justify-self-start" onClick={replaced.onCancel}>
          {t('Keep this owner')}
        </Button>
      )}
    </Card>
  )
}

/** Names the owner if the person gave it a name. */
export const replaceTitle = (label: string | undefined) =>
  label === undefined ? t('Replace an owner') : t('Replace {owner}', { owner: label })
