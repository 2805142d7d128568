import type { SignedChange } from '../guardians/use-ownership.ts'
import { t } from '../i18n/t.ts'
import type { KnownRecovery } from './use-recovery.ts'

type WaitReason = NonNullable<
  SignedChange['networks'][number]['reason'] | KnownRecovery['networks'][number]['reason']
>

/** What a network waits for that does not have a signed change or a recovery yet. */
export const waitReasons: Readonly<Record<WaitReason, string>> = {
  NOT_ENABLED: t('Guardians are not turned on there'),
  NO_GUARDIANS: t('No guardians there'),
  UNKNOWN_GUARDIANS: t('This service does not know the guardians there'),
  NOT_SPONSORED: t('This service does not pay for it there'),
  BUDGET_SPENT: t('Continues tomorrow'),
  WAITING: t('Waits for an earlier change'),
  FAILED: t('Will be tried again'),
}
