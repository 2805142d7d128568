/**
 * Where the process may die, in the order of a drive, and what the next start does then. Tests kill at each of them.
 *
 * A new step of the relayer gets its name here; `Checkpoint` accepts no other.
 */
export const checkpoints = [
  /** The lease expires after `leaseDuration`, or this process takes it again under its name. */
  'relayer:lease-taken',
  /** Receipts were read, nothing is written: they are read again. */
  'relayer:receipts-read',
  /** Live transactions have their outcome; operations of lost ones wait in the queue again. */
  'relayer:settled',
  /** Nothing but the table says that operations wait: they are picked again. */
  'relayer:batch-picked',
  'relayer:batch-simulated',
  /** The signed bytes die with the process and were seen by nobody: the nonce is still free. */
  'relayer:signed',
  /** The row has no sent_at: the next pass sends its bytes. Its operations are in no other bundle. */
  'relayer:row-written',
  /** The same: the next pass sends the same bytes again and hears "already known" or finds them mined. */
  'relayer:sent',
  'relayer:sent-recorded',
  /** As after relayer:sent; sending the same bytes any number of times is one transaction. */
  'relayer:resent',
  /** Everything is recorded; the lease is free. */
  'relayer:lease-released',
] as const

export type CheckpointName = (typeof checkpoints)[number]

/** Called between the steps of the relayer. */
export type Checkpoint = (name: CheckpointName) => void | Promise<void>
