import type { ErrorCode } from '@lanyard/contracts'
import { formatFee } from '../amounts/amounts.ts'
import { t } from '../i18n/t.ts'
import { describeRejection } from './describe-rejection.ts'
import { type ErrorText, serviceText } from './error-text.ts'
import type { ServiceError } from './service-error.ts'

const tryLater = t('Nothing was lost. Try again in a moment.')
const askOperator = t('Ask the operator of this service.')
const reviewAgain = t(
  'Go back and review the transaction again. You will see the new figures before you sign.',
)

/** An EOA signs for the account, with or without a contract of its own. This wallet signs with passkeys only. */
const signsElsewhere: ErrorText = {
  title: t('This account has no passkey: the key of an address signs for it.'),
  advice: t('Use it in an app that connects the wallet of that address, or create an account here.'),
}

/** By code. The others are faults of this wallet or of the service, which no person can act on. */
const texts: Partial<Record<ErrorCode, Pick<ErrorText, 'title' | 'advice'>>> = {
  UNKNOWN_USER: {
    title: t('There is no account with this name.'),
    advice: t('Check the spelling, or create a new account.'),
  },
  NOT_SUPPORTED_BY_ACCOUNT: signsElsewhere,
  USERNAME_TAKEN: {
    title: t('This name is taken.'),
    advice: t('Choose another one, or sign in if it is yours.'),
  },
  IDENTITY_REFUSED: {
    title: t('Your login was not accepted.'),
    advice: t('Begin again on the first page. A passkey signs in without it.'),
  },
  IDENTITY_PROVIDER_UNAVAILABLE: {
    title: t('The provider of your login does not answer.'),
    advice: t('A passkey signs in without it. Or try again in a moment.'),
  },
  UNKNOWN_IDENTITY: {
    title: t('No account is linked to this login.'),
    advice: t('Sign in with your passkey, and link the login under Protection.'),
  },
  IDENTITY_TAKEN: {
    title: t('This login is linked to another account.'),
    advice: t('Sign in with it, or unlink it there first.'),
  },
  TOO_MANY_IDENTITIES: {
    title: t('Five logins are linked to this account.'),
    advice: t('Unlink one first.'),
  },
  VERIFICATION_FAILED: {
    title: t('The service could not verify your passkey.'),
    advice: t('Try again. If it keeps failing, choose another passkey of this account.'),
  },
  UNKNOWN_WALLET: {
    title: t('This service does not know your account.'),
    advice: t('Sign out and in again. A development service forgets its accounts when it restarts.'),
  },
  FEE_TOO_LOW: { title: t('Network fees have risen.'), advice: reviewAgain },
  REBUILD: { title: t('This transaction is out of date.'), advice: reviewAgain },
  UNKNOWN_OPERATION: { title: t('This transaction expired before it was signed.'), advice: reviewAgain },
  OPERATION_IN_FLIGHT: {
    title: t('Your account’s first transaction on this network is still pending.'),
    advice: t('Wait until it is included. You can follow it under Activity.'),
  },
  NOT_REPLACEABLE: {
    title: t('The first transaction is already in a block, or has ended.'),
    advice: t('You can see its outcome under Activity.'),
  },
  LANES_EXHAUSTED: {
    title: t('Too many of your transactions are pending on this network.'),
    advice: t('Wait until one is included. You can follow them under Activity.'),
  },
  TOO_MANY_OPERATIONS: {
    title: t('Too many of your transactions are pending on this network.'),
    advice: t('Wait until one is included. You can follow them under Activity.'),
  },
  ACCOUNT_NOT_ON_NETWORK: {
    title: t('Your account does not exist on this network.'),
    advice: t('Choose another network, and send nothing to your address on this one.'),
  },
  NO_SMART_BALANCE: {
    title: t('This network does not support the combined balance.'),
    advice: t('Choose another network.'),
  },
  INSUFFICIENT_LIQUIDITY: {
    title: t('The operator cannot advance that much on this network right now.'),
    advice: t('Choose another network, send less, or try again later. Your deposits are not affected.'),
  },
  LIMIT_BREACHED: { title: t('The price has changed.'), advice: reviewAgain },
  AMOUNT_REFUSED: {
    title: t('The combined balance does not take this amount.'),
    advice: t('Change the amount and try again.'),
  },
  EXIT_REFUSED: {
    title: t('There is nothing to collect or to cancel there now.'),
    advice: t('Check the date on which it is ready.'),
  },
  GAS_BUDGET_EXCEEDED: { title: t('Network fees have risen.'), advice: reviewAgain },
  PAYMASTER_REFUSED: {
    title: t('The operator cannot pay the network fee at the moment.'),
    advice: t('Try again later, or send from one network. Your deposits are not affected.'),
  },
  PAYMASTER_FAILED: {
    title: t('The operator cannot pay the network fee at the moment.'),
    advice: t('Try again later, or send from one network. Your deposits are not affected.'),
  },
  SPONSORSHIP_SUSPENDED: {
    title: t('The operator does not pay network fees for you at the moment.'),
    advice: askOperator,
  },
  GAS_OWED: {
    title: t('Your account owes the service a network fee.'),
    advice: t('Go back and review the transaction again: it then repays what is owed.'),
  },
  OPERATION_REFUSED: {
    title: t('The network would refuse this transaction.'),
    advice: t('Check what it does, then review it again.'),
  },
  INVALID_SIGNATURE: {
    title: t('This signature is not by an owner of your account.'),
    advice: t('Choose the passkey of the account that you are signed in to.'),
  },
  UNKNOWN_CREDENTIAL: {
    title: t('This service does not know this passkey.'),
    advice: t('Choose another passkey of this account.'),
  },
  UNKNOWN_NETWORK: {
    title: t('This service does not have this network.'),
    advice: t('Choose another network.'),
  },
  LAST_OWNER: {
    title: t('This owner is the last one on a network.'),
    advice: t('Add another owner there first.'),
  },
  UNKNOWN_OWNER: {
    title: t('Your account does not have this owner any more.'),
    advice: t('Go back to see the owners that it has.'),
  },
  OWNER_NOT_HERE: {
    title: t('Your passkey does not own the account on this network.'),
    advice: t('Sign in with an owner that does, and add this one there.'),
  },
  CREDENTIAL_IN_USE: {
    title: t('This passkey still owns your account on a network.'),
    advice: t('Remove it there first.'),
  },
  NO_OWNERSHIP: { title: t('No network of this service supports guardians.'), advice: askOperator },
  OTHER_CHANGE_SIGNED: {
    title: t('Another change of the account was signed in the meantime.'),
    advice: t('Go back and begin again.'),
  },
  NO_GUARDIANS: {
    title: t('This account has no guardians.'),
    advice: t('Only its owners can act for it.'),
  },
  UNKNOWN_GUARDIANS: {
    title: t('This service does not know the guardians of this account.'),
    advice: t('An owner can choose new ones.'),
  },
  NOT_A_GUARDIAN: {
    title: t('This address is no guardian of the account.'),
    advice: t('Sign with the account that the owner named.'),
  },
  STALE_RECOVERY: {
    title: t('The account has changed since this recovery began.'),
    advice: t('Begin it again, and let the guardians sign again.'),
  },
  OTHER_RECOVERY_SIGNED: {
    title: t('Enough guardians have signed another recovery of this account.'),
    advice: t('Ask the owner which one is right.'),
  },
  UNKNOWN_RECOVERY: {
    title: t('No guardian has signed this recovery yet.'),
    advice: t('Ask a guardian to sign it first.'),
  },
  ORDER_MISMATCH: { title: t('This payment is out of date.'), advice: reviewAgain },
  ORDER_EXPIRED: { title: t('This payment has expired. Nothing moved.'), advice: reviewAgain },
  ORDER_OPEN: {
    title: t('Another payment from your combined balance is still open.'),
    advice: t('Sign that one, or wait ten minutes until it expires. You can find it under Activity.'),
  },
  UNKNOWN_ORDER: {
    title: t('This service does not know this payment.'),
    advice: t('Check Activity. A development service forgets everything when it restarts.'),
  },
  NO_SESSION_KEYS: {
    title: t('This network does not support session keys.'),
    advice: t('Choose another network.'),
  },
  UNKNOWN_SESSION: {
    title: t('This session key has ended already.'),
    advice: t('Go back to see those that are left.'),
  },
  UNAUTHORIZED: { title: t('You are signed out.'), advice: t('Sign in again with your passkey.') },
  FORBIDDEN: { title: t('This service does not allow that.'), advice: askOperator },
  TOO_MANY_BUILDS: {
    title: t('Too many of your transactions are waiting for a signature.'),
    advice: t('Sign one of them, or wait ten minutes until they expire.'),
  },
  RATE_LIMITED: { title: t('Too many requests.'), advice: t('Wait a minute, then try again.') },
  NETWORK_UNAVAILABLE: { title: t('This network is not responding.'), advice: tryLater },
  NETWORK_FAILED: { title: t('This network gave an invalid answer.'), advice: tryLater },
  BUNDLER_UNAVAILABLE: {
    title: t('Transactions cannot be sent on this network at the moment.'),
    advice: t(
      'If you already signed, the service keeps it and sends it later. Check Activity before you try again.',
    ),
  },
  BUNDLER_FAILED: {
    title: t('Transactions cannot be sent on this network at the moment.'),
    advice: tryLater,
  },
  DATABASE_UNAVAILABLE: { title: t('The service has a problem.'), advice: tryLater },
  SIGNER_FAILED: { title: t('The operator cannot sign its part at the moment.'), advice: tryLater },
  SIGNER_UNAVAILABLE: { title: t('The operator cannot sign its part at the moment.'), advice: tryLater },
  SCREENING_DENIED: {
    title: t('The operator of this service does not serve this transaction.'),
    advice: t(
      'Ask the operator. What you have stays yours: the recovery page moves it without this service.',
    ),
  },
  SCREENING_HELD: {
    title: t('The operator of this service looks at this transaction first.'),
    advice: t('Nothing was sent. Try again later.'),
  },
  SCREENING_UNAVAILABLE: {
    title: t('The operator’s check of transactions does not answer at the moment.'),
    advice: tryLater,
  },
  NETWORK_UNCONFIRMED: {
    title: t('The state of this network is not confirmed at the moment.'),
    advice: t('The operator advances nothing there until it is. Choose another network, or try again later.'),
  },
  STARTING: { title: t('The service is starting.'), advice: tryLater },
  REQUEST_TIMEOUT: { title: t('The request did not arrive in time.'), advice: tryLater },
  INTERNAL: { title: t('Something went wrong in the service.'), advice: tryLater },
}

/** The text for an error response of the service. */
export function describeServiceError({ code, message, requestId, issues, body }: ServiceError): ErrorText {
  if (code === 'INSUFFICIENT_FUNDS') return describeInsufficientFunds(body)
  if (code === 'UNKNOWN_USER' && body.reason === 'NO_PASSKEY') return signsElsewhere
  if (code === 'SESSION_REFUSED') return describeRejection(body.rule, message)
  if (code === 'EXECUTION_REVERTED') return describeRevert(body)
  if (code === 'INVALID_INPUT' && issues[0])
    return {
      title: serviceText(`${issues[0].message}.`.replace(/\.\.$/, '.')),
      advice: t('Correct it and try again.'),
    }
  // The message says why: another script, an address, a reserved name.
  if (code === 'USERNAME_REFUSED') return { title: serviceText(message), advice: t('Choose another one.') }
  const text = code && texts[code]
  return {
    title: text?.title ?? serviceText(message),
    advice: text?.advice ?? t('Try again. If it keeps happening, tell the operator of this service.'),
    ...(!text || code === 'INTERNAL' ? { requestId } : {}),
  }
}

function describeInsufficientFunds({ missing, required, largest }: ServiceError['body']): ErrorText {
  if (typeof largest === 'string')
    return {
      title: t('Your combined balance does not cover this and its fee.'),
      advice: t('Send less, or deposit first.'),
    }
  // Only a shortage of gas or native value comes with `required`.
  if (required === undefined)
    return {
      title: t('Your account does not hold that much there.'),
      advice: t('Correct the amount and try again.'),
    }
  // The native coin of every network has 18 decimals; the error does not name its symbol.
  const advice =
    typeof missing === 'string' && /^\d+$/.test(missing)
      ? t('Receive about {amount} more of it on this network first, or send less.', {
          amount: formatFee(BigInt(missing), 18),
        })
      : t('Receive some of it on this network first, or send less.')
  return {
    title: t('You do not have enough of this network’s coin for this and its fee.'),
    advice,
  }
}

/** Includes the contract's revert reason if there is one: people who call a contract by hand can read it. */
function describeRevert({ reason }: ServiceError['body']): ErrorText {
  // ERC-6093, and the messages of older tokens.
  if (typeof reason === 'string' && /InsufficientBalance|exceeds balance/.test(reason))
    return {
      title: t('Your account does not hold that much of this token.'),
      advice: t('Send less, or receive some first.'),
    }
  return {
    title: t('This would fail on the network.'),
    advice: [
      t('You would only pay the fee, so there is nothing to sign. Check recipient, amount and arguments.'),
      ...(typeof reason === 'string' && reason !== '' ? [t('The contract says: {reason}.', { reason })] : []),
    ].join(' '),
  }
}
