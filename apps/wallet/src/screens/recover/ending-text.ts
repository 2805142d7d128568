import { t } from '../../i18n/t.ts'
import { endingOf, type KnownRecovery, type RecoveryStatus } from '../../recovery/use-recovery.ts'

/** Why a recovery has ended. */
export const endingText = (status: RecoveryStatus, recovery: KnownRecovery): string =>
  texts[endingOf(status, recovery)]

const texts: Readonly<Record<ReturnType<typeof endingOf>, string>> = {
  replaced: t('Another recovery took its place.'),
  guardians: t('Guardians took it back.'),
  owner: t('An owner cancelled it, or it was not finished in time.'),
}
