/**
 * Points between a build and the answer to its submission where the process may die, and what the next start
 * then does. Tests kill the process at each of them, and at those of the bundler.
 */
export const checkpoints = [
  /** Nothing is written, so nothing has happened. */
  'build:estimated',
  /** The build waits for its signature, or expires. */
  'build:written',
  /** The signature is verified but not written: the caller can submit it again. */
  'sign:checked',
  /** The signature is written: the worker sends the operation to the bundler. */
  'submit:signed',
  /**
   * The bundler has the operation, but the row does not show it: the worker sends it again, which changes
   * nothing.
   */
  'submit:delivered',
  /** The worker drives the bundler and watches the chain. */
  'submit:submitted',
  /** A block includes the operation, but the row does not show it: the next pass reads it again. */
  'include:event-read',
  /** The row shows the inclusion: the worker follows it until it is final. */
  'include:recorded',
  /** A final block includes the operation, but the row does not show it: the next pass reads it again. */
  'final:block-read',
  'final:recorded',
] as const

export type CheckpointName = (typeof checkpoints)[number]
