/**
 * Where the process may die while an account sends its transactions, in the order of a pass, and what the next one
 * does then.
 */
export const senderSteps = [
  /** The lease expires after `leaseDuration`, or this process takes it again under its name. */
  'lease-taken',
  /** Receipts were read, nothing is written: they are read again. */
  'receipts-read',
  /** Live transactions have their outcome; what lost ones carried waits again. */
  'settled',
  /** The signed bytes die with the process and were seen by nobody: the nonce is still free. */
  'signed',
  /** The row has no sent_at: the next pass sends its bytes. What it carries is in no other transaction. */
  'row-written',
  /** The same: the next pass sends the same bytes again and hears "already known" or finds them mined. */
  'sent',
  'sent-recorded',
  /** As after `sent`; sending the same bytes any number of times is one transaction. */
  'resent',
  /** Everything is recorded; the lease is free. */
  'lease-released',
] as const

export type SenderStep = (typeof senderSteps)[number]
