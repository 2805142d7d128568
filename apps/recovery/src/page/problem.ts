import { describeError, RecoveryError, type RecoveryErrorCode } from '../recovery-error.ts'
import { t } from '../words.ts'
import { make } from './dom.ts'

/** What is wrong, and what the person can do. */
interface Problem {
  readonly title: string
  readonly advice?: string
}

const texts: Readonly<Record<Exclude<RecoveryErrorCode, 'USAGE'>, () => Problem>> = {
  NOT_A_KIT: () => ({
    title: t('This is not a recovery kit.'),
    advice: t('Choose the file that you saved in the wallet under Protection, as it was saved.'),
  }),
  WRONG_RPC: () => ({
    title: t('This network cannot be reached.'),
    advice: t(
      'Check your internet connection and try again. If it stays so, enter another RPC address of the network under “Connection”: its website names some.',
    ),
  }),
  NOT_AN_OWNER: () => ({
    title: t('This key does not own the account here.'),
    advice: t('Choose another way to sign in step 2. Each network has its own owners.'),
  }),
  THRESHOLD: () => ({
    title: t('Several owners must sign together here.'),
    advice: t('This page signs for one owner. Use a Safe tool with the address of the account.'),
  }),
  UNUSABLE_ASSERTION: () => ({
    title: t('No passkey signed.'),
    advice: t(
      'The prompt was closed, or this device does not have the passkey. Try again, or choose another way to sign in step 2.',
    ),
  }),
  CANNOT_PAY: () => ({
    title: t('The account has too few coins for the fee.'),
    advice: t('Let a wallet or another key pay: choose it in step 2.'),
  }),
  NO_OWNERSHIP: () => ({
    title: t('On this network, the account has no guardians’ contract.'),
    advice: t('You can move everything out instead: choose it in step 2.'),
  }),
  NOT_SIGNED_MESSAGES: () => ({
    title: t('The text in step 2 is nothing that was signed.'),
    advice: t('Paste it as you got it, from the first bracket to the last.'),
  }),
  OTHER_SEQUENCE: () => ({
    title: t('What was signed is for another state of the account.'),
    advice: t(
      'An owner has changed something since, or an earlier change is missing here. Ask for the latest.',
    ),
  }),
  OTHER_GUARDIANS: () => ({
    title: t('Other guardians count on this network.'),
    advice: t('The guardians that count here must sign.'),
  }),
  RECOVERY_REPLACED: () => ({
    title: t('The guardians have signed a newer recovery.'),
    advice: t('Ask them for the latest one, and paste it in step 2.'),
  }),
  NO_RECOVERY: () => ({
    title: t('This recovery does not run here.'),
    advice: t('Check the network again: it was cancelled, replaced or finished.'),
  }),
  NOT_READY: () => ({
    title: t('The waiting time is not over.'),
    advice: t('Come back then. Nothing else is left to do.'),
  }),
  FAILED: () => ({
    title: t('The network did not do it.'),
    advice: t(
      'Check the network again to see what it has. The sender needs some coins of this network for the fee.',
    ),
  }),
}

/** A problem with a way out. What exactly went wrong stands below it, for those who help. */
export function problemNotice(error: unknown): HTMLElement {
  const isUsage = error instanceof RecoveryError && error.code === 'USAGE'
  const { title, advice = '' } = isUsage
    ? { title: error.message }
    : error instanceof RecoveryError && error.code !== 'USAGE'
      ? texts[error.code]()
      : { title: t('This did not work.'), advice: t('Try again. Nothing was lost.') }
  return make(
    'div',
    { className: 'problem', role: 'alert' },
    make('p', {}, make('strong', { textContent: title })),
    ...(advice ? [make('p', { textContent: advice })] : []),
    ...(isUsage
      ? []
      : [
          make(
            'details',
            {},
            make('summary', { textContent: t('What exactly happened') }),
            make('p', { className: 'mono', textContent: describeError(error) }),
          ),
        ]),
  )
}
