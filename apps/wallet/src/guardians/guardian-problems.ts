import { t } from '../i18n/t.ts'
import type { Guardian, GuardianProblem } from './guardian.ts'

/** Why somebody cannot be, or could not help as, a guardian. */
export const problemTexts: Readonly<Record<GuardianProblem, string>> = {
  ACCOUNT_ITSELF: t('Your own account cannot recover itself.'),
  OWNER: t('This is an owner of your account: you would lose both at once.'),
  UNPROVEN: t('Nothing shows that this address can sign. An exchange’s address cannot.'),
  NOT_THERE: t('This contract does not exist on every network.'),
  ACCEPTS_ANYTHING: t('This contract accepts a signature that nobody made: anyone could take your account.'),
  BURNS_GAS: t('This contract cannot sign: it uses up all the gas that it gets.'),
  REPLACED: t('This passkey was removed from its own account. Ask for a new one.'),
  NOT_ENABLED: t('Your account has switched guardians off on a network.'),
}

/** Problems with which nobody is named, whatever the person says. */
const refused: readonly GuardianProblem[] = [
  'ACCOUNT_ITSELF',
  'OWNER',
  'ACCEPTS_ANYTHING',
  'BURNS_GAS',
  'REPLACED',
]

export const isRefused = (problem: GuardianProblem): boolean => refused.includes(problem)

/** The worst problem of a guardian on any network. */
export function worstProblem({ networks }: Guardian): GuardianProblem | undefined {
  const found = networks.flatMap(({ problem }) => problem ?? [])
  return found.find(isRefused) ?? found[0]
}
