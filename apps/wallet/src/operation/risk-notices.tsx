import { Notice } from '../ui/notice.tsx'
import type { Risk } from './find-risks.ts'

const texts: Readonly<Record<Risk['kind'], { title: string; text: string }>> = {
  'first-payment': {
    title: 'First payment to this address.',
    text: 'You have not paid it from this browser before. Compare the whole address with the one that you were given.',
  },
  'zero-recipient': {
    title: 'Nobody owns this address.',
    text: 'What you send to the zero address is lost.',
  },
  'contract-recipient': {
    title: 'This is the address of a contract, not of a person.',
    text: 'What you send there is lost.',
  },
  'unlimited-approval': {
    title: 'This allows spending without a limit.',
    text: 'The spender can take all of this token that you hold, now and later. Allow only the amount that is needed.',
  },
  approval: {
    title: 'This allows somebody else to spend.',
    text: 'The spender can take up to this amount without asking you again.',
  },
  power: {
    title: 'This gives somebody else power over what you hold.',
    text: 'They can move or use your tokens, NFTs or positions at this contract without asking you again. Check who gets it.',
  },
  'moves-assets': {
    title: 'This moves tokens or NFTs out of your account.',
    text: 'This wallet cannot say what they are. Check the contract, the recipient and the numbers below.',
  },
  batch: {
    title: 'This runs other calls that this wallet does not show.',
    text: 'They are hidden in the data below, and one of them may give somebody else power over what you hold at this contract. Sign only what comes from an app that you trust.',
  },
  'owner-grant': {
    title: 'The new owner can do everything.',
    text: 'It can spend all that the account holds on this network and remove your passkey. Add only a key that belongs to you.',
  },
  'account-change': {
    title: 'This changes your account itself.',
    text: 'Sign only if you know exactly what this function does. It can lock you out or give the account away.',
  },
  'session-exceeds-holdings': {
    title: 'The key may take more than you have here.',
    text: 'An allowance is larger than what your account holds on this network. Whoever has the key could take all of it.',
  },
  'session-to-anyone': {
    title: 'The key can send to anyone.',
    text: 'Whoever holds it can send the whole allowance to themselves. Allow only as much as you would give away.',
  },
  'session-moves-tokens': {
    title: 'The key can move tokens without a limit.',
    text: 'It may call a function that transfers what your account holds at this contract, and no allowance counts it.',
  },
  'session-uncounted': {
    title: 'No allowance limits what these calls move.',
    text: 'The key may call the functions with any arguments. Function names come from the app. Allow only contracts that you know.',
  },
  'session-unknown-token': {
    title: 'This wallet does not know one of the tokens.',
    text: 'Its amounts are shown in base units, because nobody vouches for its name and decimals.',
  },
  'session-long': {
    title: 'The key lasts longer than a month.',
    text: 'You can revoke it at any time. A shorter time is safer.',
  },
  'odd-name': {
    title: 'This name can be mistaken for another one.',
    text: 'It looks like an address or mixes alphabets. Compare the whole address before you sign.',
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
