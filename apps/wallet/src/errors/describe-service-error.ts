import type { ErrorCode } from '@lanyard/contracts'
import { formatFee } from '../amounts/format-fee.ts'
import { describeRefusal } from '../sessions/describe-refusal.ts'
import type { ErrorText } from './error-text.ts'
import type { ServiceError } from './service-error.ts'

const tryLater = 'Nothing was lost. Try again in a moment.'
const reviewAgain = 'Go back and review the transaction again. You will see the new figures before you sign.'

/** Advice by code. Has a `title` only if the service's own message does not suit the person. */
const texts: Partial<Record<ErrorCode, Partial<ErrorText> & Pick<ErrorText, 'advice'>>> = {
  UNKNOWN_USER: {
    title: 'There is no account with this name.',
    advice: 'Check the spelling, or create a new account.',
  },
  USERNAME_TAKEN: { title: 'This name is taken.', advice: 'Choose another one, or sign in if it is yours.' },
  VERIFICATION_FAILED: {
    title: 'The service could not verify your passkey.',
    advice: 'Try again. If it keeps failing, choose another passkey of this account.',
  },
  UNKNOWN_WALLET: {
    title: 'This service does not know your account.',
    advice: 'Sign out and in again. A development service forgets its accounts when it restarts.',
  },
  FEE_TOO_LOW: { title: 'Network fees have risen.', advice: reviewAgain },
  REBUILD: { title: 'This transaction is out of date.', advice: reviewAgain },
  UNKNOWN_OPERATION: { title: 'This transaction expired before it was signed.', advice: reviewAgain },
  OPERATION_IN_FLIGHT: {
    title: 'Your account’s first transaction on this network is still pending.',
    advice: 'Wait until it is included. You can follow it under Activity.',
  },
  LANES_EXHAUSTED: {
    title: 'Too many of your transactions are pending on this network.',
    advice: 'Wait until one is included. You can follow them under Activity.',
  },
  NO_SMART_BALANCE: {
    title: 'This network does not support the combined balance.',
    advice: 'Choose another network.',
  },
  INSUFFICIENT_LIQUIDITY: {
    title: 'The operator cannot advance that much on this network right now.',
    advice: 'Choose another network, send less, or try again later. Your deposits are not affected.',
  },
  LIMIT_BREACHED: { title: 'The price has changed.', advice: reviewAgain },
  AMOUNT_REFUSED: { advice: 'Change the amount and try again.' },
  EXIT_REFUSED: { advice: 'Check the date on which it is ready.' },
  GAS_BUDGET_EXCEEDED: { title: 'Network fees have risen.', advice: reviewAgain },
  PAYMASTER_REFUSED: {
    title: 'The operator cannot pay the network fee at the moment.',
    advice: 'Try again later, or send from one network. Your deposits are not affected.',
  },
  ORDER_MISMATCH: { title: 'This payment is out of date.', advice: reviewAgain },
  ORDER_EXPIRED: { title: 'This payment has expired. Nothing moved.', advice: reviewAgain },
  ORDER_OPEN: {
    title: 'Another payment from your combined balance is still open.',
    advice: 'Sign that one, or wait ten minutes until it expires. You can find it under Activity.',
  },
  UNKNOWN_ORDER: {
    title: 'This service does not know this payment.',
    advice: 'Check Activity. A development service forgets everything when it restarts.',
  },
  NO_SESSION_KEYS: {
    title: 'This network does not support session keys.',
    advice: 'Choose another network.',
  },
  UNKNOWN_SESSION: {
    title: 'This session key has ended already.',
    advice: 'Go back to see those that are left.',
  },
  UNAUTHORIZED: { title: 'You are signed out.', advice: 'Sign in again with your passkey.' },
  FORBIDDEN: { advice: 'Ask the operator of this service.' },
  TOO_MANY_BUILDS: {
    title: 'Too many of your transactions are waiting for a signature.',
    advice: 'Sign one of them, or wait ten minutes until they expire.',
  },
  RATE_LIMITED: { title: 'Too many requests.', advice: 'Wait a minute, then try again.' },
  NETWORK_UNAVAILABLE: { title: 'This network is not responding.', advice: tryLater },
  NETWORK_FAILED: { title: 'This network gave an invalid answer.', advice: tryLater },
  BUNDLER_UNAVAILABLE: {
    title: 'Transactions cannot be sent on this network at the moment.',
    advice:
      'If you already signed, the service keeps it and sends it later. Check Activity before you try again.',
  },
  BUNDLER_FAILED: { title: 'Transactions cannot be sent on this network at the moment.', advice: tryLater },
  DATABASE_UNAVAILABLE: { title: 'The service has a problem.', advice: tryLater },
  INTERNAL: { title: 'Something went wrong in the service.', advice: tryLater },
}

/** The text for an error response of the service. */
export function describeServiceError({ code, message, requestId, issues, body }: ServiceError): ErrorText {
  if (code === 'INSUFFICIENT_FUNDS') return describeInsufficientFunds(body)
  if (code === 'SESSION_REFUSED') return describeRefusal(body.rule, message)
  if (code === 'EXECUTION_REVERTED') return describeRevert(body)
  if (code === 'INVALID_INPUT' && issues[0])
    return { title: `${issues[0].message}.`.replace(/\.\.$/, '.'), advice: 'Correct it and try again.' }
  const text = code && texts[code]
  return {
    title: text?.title ?? message,
    advice: text?.advice ?? 'Try again. If it keeps happening, tell the operator of this service.',
    ...(!text || code === 'INTERNAL' ? { requestId } : {}),
  }
}

function describeInsufficientFunds({ missing, required, largest }: ServiceError['body']): ErrorText {
  if (typeof largest === 'string')
    return {
      title: 'Your combined balance does not cover this and its fee.',
      advice: 'Send less, or deposit first.',
    }
  // Only a shortage of gas or native value comes with `required`.
  if (required === undefined)
    return {
      title: 'Your account does not hold that much there.',
      advice: 'Correct the amount and try again.',
    }
  // The native coin of every network has 18 decimals; the error does not name its symbol.
  const lacking =
    typeof missing === 'string' && /^\d+$/.test(missing)
      ? `about ${formatFee(BigInt(missing), 18)} more`
      : 'some'
  return {
    title: 'You do not have enough of this network’s coin for this and its fee.',
    advice: `Receive ${lacking} of it on this network first, or send less.`,
  }
}

/** Includes the contract's revert reason if there is one: people who call a contract by hand can read it. */
function describeRevert({ reason }: ServiceError['body']): ErrorText {
  // ERC-6093, and the messages of older tokens.
  if (typeof reason === 'string' && /InsufficientBalance|exceeds balance/.test(reason))
    return {
      title: 'Your account does not hold that much of this token.',
      advice: 'Send less, or receive some first.',
    }
  const words = typeof reason === 'string' && reason !== '' ? ` The contract says: ${reason}.` : ''
  return {
    title: 'This would fail on the network.',
    advice: `You would only pay the fee, so there is nothing to sign. Check recipient, amount and arguments.${words}`,
  }
}
