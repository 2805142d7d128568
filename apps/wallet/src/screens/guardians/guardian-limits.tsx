import { Card } from '@lanyard/ui'
import { t } from '../../i18n/t.ts'

interface GuardianLimitsProps {
  /** How many of the guardians in force must agree; undefined: there are none yet. */
  readonly threshold: number | undefined
}

/** What guardians can and cannot do, in plain words. */
export function GuardianLimits({ threshold }: GuardianLimitsProps) {
  return (
    <Card aria-labelledby="guardian-limits" className="grid gap-3 p-5">
      <h2 id="guardian-limits" className="font-semibold">
        {t('What guardians can and cannot do')}
      </h2>
      <ul className="grid list-disc gap-1.5 pl-5 text-muted text-sm">
        <li>
          {threshold === 1
            ? t('Each of them alone can make a new passkey the owner. You have the delay to cancel.')
            : t('Together they can make a new passkey the owner. You have the delay to cancel.')}
        </li>
        <li>
          {threshold === undefined
            ? t('If two or more must agree, one alone can do nothing. This service can never do anything.')
            : threshold === 1
              ? t('This service can do nothing without one of them.')
              : t('Alone, a guardian can do nothing. Neither can this service.')}
        </li>
        <li>{t('They cannot move money, and they cannot see more than anyone else.')}</li>
        <li>
          {t(
            'They protect against loss, not against theft: whoever has your passkey can take everything at once, and can cancel every recovery.',
          )}
        </li>
        <li>
          {t('Choose people who do not know of each other, and tell each to call you before they sign.')}
        </li>
        <li>{t('The guardians contract is not audited yet.')}</li>
      </ul>
    </Card>
  )
}
