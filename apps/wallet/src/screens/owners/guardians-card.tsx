import { Link } from 'react-router'
import { guardiansInForce } from '../../guardians/guardians-in-force.ts'
import { useOwnership } from '../../guardians/use-ownership.ts'
import { t } from '../../i18n/t.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

/** Leads to the guardians. Hidden where the service has none. */
export function GuardiansCard() {
  const { data: status } = useOwnership()
  if (status?.module === undefined) return null
  const { guardians } = guardiansInForce(status)
  return (
    <Card aria-labelledby="guardians" className="grid gap-3 p-5">
      <h2 id="guardians" className="font-semibold">
        {t('Guardians')}
      </h2>
      <p className="text-muted text-sm">
        {guardians === undefined
          ? t(
              'Friends or family can give you your account back if you lose every passkey. You set it up in three touches.',
            )
          : guardians === 'unknown'
            ? t('Your account has guardians.')
            : t('{threshold} of your {count, plural, one {# guardian} other {# guardians}} can recover it.', {
                threshold: guardians.threshold,
                count: guardians.members.length,
              })}
      </p>
      <Button asChild variant="secondary" className="justify-self-start">
        <Link to="/guardians">
          {guardians === undefined ? t('Protect your account') : t('See your guardians')}
        </Link>
      </Button>
    </Card>
  )
}
