import type { ErrorText } from './error-text.ts'
import type { ReactErrorCode } from './react-error.ts'

/** The words of the components. Words in braces are replaced. */
export const english = {
  open: 'Sign in',
  title: 'Sign in to {app}',
  how: 'With your face, finger or screen lock.',
  signIn: 'Continue with a passkey',
  waiting: 'Look at your screen lock…',
  newHere: 'New here?',
  username: 'Your name',
  create: 'Create',
  checking: 'Checking…',
  free: 'This name is free.',
  taken: 'This name is taken.',
  unavailable: 'This name is not available.',
  cancelled: 'Cancelled. Nothing was changed.',
  onlyYou: 'Only you can sign. {app} cannot.',
  onlyYouHere: 'Only you can sign. This app cannot.',
  close: 'Close',
  account: 'Account of {name}',
  copy: 'Copy the address',
  copied: 'Copied',
  notCopied: 'Select the address to copy it',
  wallet: 'Open the wallet',
  signOut: 'Sign out',
  pay: 'Pay {amount}',
  preparing: 'Preparing…',
  signing: 'Look at your screen lock…',
  sending: 'Sending…',
  paying: 'Paying…',
  paid: 'Paid',
  feeOnTop: 'The network fee comes on top. You confirm with your passkey.',
  receipt: 'Show the transaction',
  receiveHint: 'On {network}, and on the other networks of this account, the address is the same.',
  qrCode: 'QR code of the address {address}',
  nothingYet: 'Nothing yet. What you pay and receive appears here.',
  sent: 'To {party}',
  received: 'From {party}',
  receivedUnknown: 'Received',
  other: 'Other change',
  pending: 'Pending',
  done: 'Done',
  failed: 'Failed. Only the fee was paid.',
  expired: 'Expired. Nothing moved.',
  fee: 'Fee {amount}',
  older: 'Show older',
  loading: 'Loading…',
  owners: 'Can sign for this account',
  guardians: 'Guardians',
  noGuardians: 'No guardians. If all your passkeys are lost, so is this account.',
  guardiansHelp: 'Together, {threshold} of {count} can give the account a new passkey, after a delay.',
  passkey: 'Passkey',
  eoa: 'Key of a wallet',
  contract: 'Contract',
  unknown: 'Address',
  everywhere: 'on every network',
  onSome: 'only on {networks}',
  canSign: 'can sign',
  cannotSign: 'cannot sign on {networks} yet',
  unread: '{networks} did not answer.',
  change: 'Change it in the wallet',
}

/** Words of the components, and what errors mean to people, by code. */
export type Texts = Partial<typeof english> & {
  readonly errors?: Partial<Record<ReactErrorCode, ErrorText>>
}

/** Puts values in the place of `{name}`. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
