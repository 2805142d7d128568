import { Notice } from '@lanyard/ui'
import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { rich, t } from '../../i18n/t.ts'

/** Explains the two ways to withdraw, and when to use each. */
export function ExitExplanation() {
  return (
    <Notice>
      <div className="grid gap-2">
        <p>
          {rich('Right away: {link} The operator of the combined balance takes part in that.', {
            link: (
              <Link
                to="/send?to=me"
                className="inline-flex items-center gap-1 font-medium underline underline-offset-4"
              >
                {t('Send it to your own account')}
                <ArrowRight className="size-3.5" aria-hidden="true" />
              </Link>
            ),
          })}
        </p>
        <p>
          {t(
            'Without the operator: start below on each network where you deposited, wait seven days, then collect. Nobody can stop it. You cannot spend what you withdraw, and payments that you signed before can still use it. You can cancel until you collect. Each step is an ordinary transaction, so it also works without this wallet. Your recovery kit names the contracts.',
          )}
        </p>
      </div>
    </Notice>
  )
}
