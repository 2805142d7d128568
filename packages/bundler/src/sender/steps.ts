/**
 * The steps at which a process may die while an account sends its transactions, in the order of a pass, and
 * what the next process then does.
 */
export const senderSteps = [
  /** The lease expires after `leaseDuration`, or this process takes it again under its name. */
  'lease-taken',
  /** Receipts were read but nothing is written: they are read again. */
  'receipts-read',
  /** Live transactions have their outcome; the contents of lost ones wait again. */
  'settled',
  /** The signed bytes are lost with the process and no node has seen them: the nonce is still free. */
  'signed',
  /** The row has no sent_at: the next pass sends its bytes. Its contents are in no other transaction. */
  'row-written',
  /**
   * As after `row-written`: the next pass resends the same bytes and gets "already known" or finds them
   * mined.
   */
  'sent',
  'sent-recorded',
  /** As after `sent`. Sending the same bytes any number of times is one transaction. */
  'resent',
  /** Everything is recorded; the lease is free. */
  'lease-released',
] as const

export type SenderStep = (typeof senderSteps)[number]
