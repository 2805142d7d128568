import { t } from '../i18n/t.ts'
import type { SignedChange } from './use-ownership.ts'

/** What a network waits for that does not have a signed change yet. */
export const changeReasons: Readonly<
  Record<NonNullable<SignedChange['networks'][number]['reason']>, string>
> = {
  NOT_ENABLED: t('Turn guardians on there'),
  NOT_SPONSORED: t('Nobody pays for it there'),
  BUDGET_SPENT: t('Continues tomorrow'),
  WAITING: t('Waits for an earlier change'),
  FAILED: t('Will be tried again'),
}
