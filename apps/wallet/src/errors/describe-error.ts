import { t } from '../i18n/t.ts'
import { describeCeremonyError } from './describe-ceremony-error.ts'
import { describeProblem } from './describe-problem.ts'
import { describeServiceError } from './describe-service-error.ts'
import type { ErrorText } from './error-text.ts'
import { PaymentRejected } from './payment-rejected.ts'
import { isUnreachable, readServiceError } from './service-error.ts'
import { WalletError } from './wallet-error.ts'

/** Describes any error of this wallet in two sentences: what happened, and what to do. */
export function describeError(error: unknown): ErrorText {
  if (error instanceof WalletError)
    return {
      title: error.message,
      advice: t(
        'Nothing was signed, and your account stays yours. Do not use this service until its operator has explained why.',
      ),
    }
  if (error instanceof PaymentRejected) return describeProblem(error.problem, error.unit)
  const service = readServiceError(error)
  if (service) return describeServiceError(service)
  if (isUnreachable(error) && navigator.onLine === false)
    return {
      title: t('You are offline.'),
      advice: t('Nothing was sent, and nothing will be sent later. Try again when you are connected.'),
    }
  if (isUnreachable(error))
    return {
      title: t('The service is not responding.'),
      advice: t('Check your connection, then try again. Your account is safe either way.'),
    }
  return (
    describeCeremonyError(error) ?? {
      title: t('Something unexpected happened on this page.'),
      advice: t('Reload it and try again. Nothing was signed.'),
    }
  )
}
