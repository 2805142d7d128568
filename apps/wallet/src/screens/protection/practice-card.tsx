import type { GuardianSet } from '@lanyard/accounts'
import { Card, CopyButton, Fact, Time } from '@lanyard/ui'
import { isAddressEqual } from 'viem'
import { guardianName, useGuardians } from '../../guardians/guardian.ts'
import { invitationLink } from '../../guardians/invitation.ts'
import { t } from '../../i18n/t.ts'
import { useRecipientNames } from '../../recipients/known-recipients.ts'
import { useSession } from '../../sign-in/session-context.tsx'

/** A practice run: the guardians sign, and nothing starts on any chain. */
export function PracticeCard({ guardians }: { guardians: GuardianSet }) {
  const { account, username } = useSession()
  const { data: overview } = useGuardians(account)
  const contacts = useRecipientNames()
  const link = invitationLink({ account, name: username })
  const [latest] = (overview?.guardians ?? [])
    .filter(({ guardian }) => guardians.members.some((member) => isAddressEqual(member, guardian)))
    .flatMap((one) => (one.provenAt === undefined ? [] : { ...one, provenAt: one.provenAt }))
    .toSorted((a, b) => b.provenAt - a.provenAt)
  return (
    <Card aria-labelledby="practice" className="grid gap-3 p-5">
      <h2 id="practice" className="font-semibold">
        {t('Practise a recovery')}
      </h2>
      <p className="text-muted text-sm">
        {t('Send your guardians this link. Each signs once, nothing moves, and you see here who did.')}
      </p>
      {overview && (
        <dl className="text-sm">
          <Fact term={t('Last time')}>
            {latest ? (
              <>
                {guardianName(latest, contacts)},{' '}
                <Time at={new Date(latest.provenAt * 1_000).toISOString()} />
              </>
            ) : (
              t('not yet')
            )}
          </Fact>
        </dl>
      )}
      <div className="flex flex-wrap items-center gap-3 rounded-field bg-sunken p-3">
        <code className="min-w-0 flex-1 break-all font-mono text-xs">{link}</code>
        <CopyButton text={link} label={t('Copy the link')} />
      </div>
    </Card>
  )
}
