import { Time } from '@lanyard/ui'
import { t } from '../i18n/t.ts'

/** Dates end at the year 275760 (ECMA-262 §21.4.1.1), but validUntil can be later. */
const lastDate = 8_640_000_000_000

/** When a session ends, in the person's own time zone. */
export function SessionEnd({ seconds }: { seconds: number }) {
  return seconds > lastDate ? t('No end') : <Time at={new Date(seconds * 1_000).toISOString()} />
}
