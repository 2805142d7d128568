import { Notice } from '@lanyard/ui'
import { t } from '../i18n/t.ts'
import type { Risk } from './find-risks.ts'

const texts: Readonly<Record<Risk['kind'], { title: string; text: string }>> = {
  'first-payment': {
    title: t('First payment to this address.'),
    text: t(
      'You have not paid it from this browser before. Compare the whole address with the one that you were given.',
    ),
  },
  'look-alike': {
    title: t('This looks like an address that you know, and is not'),
    text: t('Only the first and last digits are the same. Such addresses are made to be mistaken.'),
  },
  'zero-recipient': {
    title: t('Nobody owns this address.'),
    text: t('What you send to the zero address is lost.'),
  },
  'contract-recipient': {
    title: t('This is the address of a contract, not of a person.'),
    text: t('What you send there is lost.'),
  },
  'unlimited-approval': {
    title: t('This allows spending without a limit.'),
    text: t(
      'The spender can take all of this token that you hold, now and later. Allow only the amount that is needed.',
    ),
  },
  approval: {
    title: t('This allows somebody else to spend.'),
    text: t('The spender can take up to this amount without asking you again.'),
  },
  power: {
    title: t('This gives somebody else power over what you hold.'),
    text: t(
      'They can move or use your tokens, NFTs or positions at this contract without asking you again. Check who gets it.',
    ),
  },
  'moves-assets': {
    title: t('This moves tokens or NFTs out of your account.'),
    text: t('This wallet cannot say what they are. Check the contract, the recipient and the numbers.'),
  },
  batch: {
    title: t('This runs other calls that this wallet does not show.'),
    text: t(
      'They are hidden in the data, and one of them may give somebody else power over what you hold at this contract. Sign only what comes from an app that you trust.',
    ),
  },
  'owner-grant': {
    title: t('The new owner can do everything.'),
    text: t(
      'It can spend all that the account holds on this network and remove your passkey. Add only a key that belongs to you.',
    ),
  },
  'account-change': {
    title: t('This changes your account itself.'),
    text: t(
      'Sign only if you know exactly what this function does. It can lock you out or give the account away.',
    ),
  },
  'session-exceeds-holdings': {
    title: t('The key may take more than you have here.'),
    text: t(
      'An allowance is larger than what your account holds on this network. Whoever has the key could take all of it.',
    ),
  },
  'session-to-anyone': {
    title: t('The key can send to anyone.'),
    text: t(
      'Whoever holds it can send the whole allowance to themselves. Allow only as much as you would give away.',
    ),
  },
  'session-moves-tokens': {
    title: t('The key can move tokens without a limit.'),
    text: t(
      'It may call a function that transfers what your account holds at this contract, and no allowance counts it.',
    ),
  },
  'session-uncounted': {
    title: t('No allowance limits what these calls move.'),
    text: t(
      'The key may call the functions with any arguments. Function names come from the app. Allow only contracts that you know.',
    ),
  },
  'session-unknown-token': {
    title: t('This wallet does not know one of the tokens.'),
    text: t('Its amounts are shown in base units, because nobody vouches for its name and decimals.'),
  },
  'session-long': {
    title: t('The key lasts longer than a month.'),
    text: t('You can revoke it at any time. A shorter time is safer.'),
  },
  'odd-name': {
    title: t('This name can be mistaken for another one.'),
    text: t('It looks like an address or mixes alphabets. Compare the whole address before you sign.'),
  },
}

/** Warnings before signing, worst first. A batch with the same warning twice shows it once. */
export function RiskNotices({ risks }: { risks: readonly Pick<Risk, 'kind' | 'level'>[] }) {
  const once = new Map(risks.map(({ kind, level }) => [`${kind} ${level}`, { kind, level }]))
  const sorted = [...once].toSorted(([, a], [, b]) => Number(b.level === 'high') - Number(a.level === 'high'))
  return sorted.map(([key, { kind, level }]) => (
    <Notice key={key} tone={level === 'high' ? 'error' : 'warning'} title={texts[kind].title}>
      {texts[kind].text}
    </Notice>
  ))
}
