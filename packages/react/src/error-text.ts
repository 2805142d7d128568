import type { LanyardReactError, ReactErrorCode } from './react-error.ts'

/** What an error means to the person in front of the page. `message` of the error speaks to the developer. */
export interface ErrorText {
  /** What happened. */
  readonly title: string
  /** What the person can do. */
  readonly advice: string
}

const texts: Partial<Record<ReactErrorCode, ErrorText>> = {
  SIGNED_OUT: { title: 'You are signed out.', advice: 'Sign in, then try again.' },
  UNAUTHORIZED: { title: 'You are signed out.', advice: 'Sign in, then try again.' },
  // A mistake of the app's developer, which people cannot repair. The console of the browser names it.
  NOT_SET_UP: {
    title: 'Accounts do not work on this page yet.',
    advice: 'Tell the people who run it.',
  },
  FORBIDDEN: { title: 'This is not allowed here.', advice: 'Ask the people who run this page.' },
  PASSKEYS_UNSUPPORTED: {
    title: 'This browser cannot use passkeys here.',
    advice: 'Open the page in a current browser.',
  },
  WRONG_ORIGIN: {
    title: 'Passkeys do not work at this web address.',
    advice: 'Open the app at its usual address.',
  },
  PASSKEY_EXISTS: { title: 'You already have a passkey on this device.', advice: 'Sign in with it.' },
  PASSKEY_REFUSED: {
    title: 'This device cannot use the passkey.',
    advice: 'Set up a screen lock, or use another device.',
  },
  REGISTRATION_UNCONFIRMED: {
    title: 'The connection broke while your account was created.',
    advice: 'Try to sign in with the passkey that you just made.',
  },
  UNREACHABLE: {
    title: 'The service is not responding.',
    advice: 'Check your connection, then try again. Nothing was sent.',
  },
  NOT_VERIFIED: {
    title: 'The service prepared something else than you asked for.',
    advice: 'Nothing was signed. Do not use it until its operator has explained why.',
  },
  FOREIGN_ADDRESS: {
    title: 'The service named an account that is not yours.',
    advice: 'Do not send money to it. Ask the operator of the service.',
  },
  TOO_EXPENSIVE: { title: 'Network fees are too high right now.', advice: 'Try again later.' },
  FEE_TOO_LOW: { title: 'Network fees have risen.', advice: 'Try again.' },
  REBUILD: { title: 'This was out of date.', advice: 'Try again.' },
  KEY_REUSED: {
    title: 'Something else was paid under this number.',
    advice: 'Nothing was paid now. Ask the people who run this page.',
  },
  REVERTED: { title: 'It failed on the network.', advice: 'You paid only the network fee.' },
  EXECUTION_REVERTED: {
    title: 'This would fail on the network.',
    advice: 'Check recipient and amount. Nothing was signed.',
  },
  DROPPED: { title: 'It was not included.', advice: 'Nothing moved. You can send it again.' },
  NOT_INCLUDED_YET: {
    title: 'It is on its way.',
    advice: 'Do not pay again before you know its outcome.',
  },
  INCLUSION_TIMEOUT: {
    title: 'It is on its way.',
    advice: 'Do not pay again before you know its outcome.',
  },
  INSUFFICIENT_FUNDS: {
    title: 'You do not have enough for this and its fee.',
    advice: 'Send less, or receive some money first.',
  },
  PAYMASTER_REFUSED: { title: 'The fee is not paid for you right now.', advice: 'Try again later.' },
  OPERATION_IN_FLIGHT: {
    title: 'Your first payment is still pending.',
    advice: 'Wait until it is done, then try again.',
  },
  DELEGATED_ELSEWHERE: {
    title: 'Your address runs the contract of another wallet.',
    advice: 'Nothing was changed. Switch the contract, or go on with the other wallet.',
  },
  USERNAME_TAKEN: { title: 'This name is taken.', advice: 'Choose another one, or sign in if it is yours.' },
  USERNAME_REFUSED: { title: 'This name is not available.', advice: 'Choose another one.' },
  UNKNOWN_USER: { title: 'There is no account with this name.', advice: 'Check the spelling.' },
  RATE_LIMITED: { title: 'Too many requests.', advice: 'Wait a minute, then try again.' },
  NETWORK_UNAVAILABLE: {
    title: 'The network is not responding.',
    advice: 'Nothing was lost. Try again in a moment.',
  },
}

/**
 * Says in two sentences what happened and what a person can do. Pass your own texts to change or translate them.
 *
 * @param own - by code; they come before the texts of this package
 */
export const errorText = (
  { code }: Pick<LanyardReactError, 'code'>,
  own: Partial<Record<ReactErrorCode, ErrorText>> = {},
): ErrorText =>
  own[code] ?? texts[code] ?? own.UNEXPECTED ?? { title: 'Something went wrong.', advice: 'Try again.' }
