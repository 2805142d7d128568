import { Notice } from '@lanyard/ui'
import type { OwnershipStatus } from '../../guardians/use-ownership.ts'
import { t } from '../../i18n/t.ts'

interface OtherOwnersNoticeProps {
  readonly status: Pick<OwnershipStatus, 'split' | 'ownersDiffer'> | undefined
}

/** Networks that are equally far and have other owners: no change that is on its way makes them equal. */
export function OtherOwnersNotice({ status }: OtherOwnersNoticeProps) {
  if (!status?.split && !status?.ownersDiffer) return null
  return (
    <Notice tone="warning" title={t('Your networks have different owners.')}>
      {status.split
        ? t(
            'They took different changes, and what you sign for all networks may not hold on each of them. The list of owners says where each one counts. Add or remove them where they differ.',
          )
        : t(
            'One network refused an owner, or its owners were changed by hand. The list of owners says where each one counts. Add or remove them where they differ.',
          )}
    </Notice>
  )
}
