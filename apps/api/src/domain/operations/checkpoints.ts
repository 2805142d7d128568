/**
 * Where the process may die between a build and its submission's answer, and what the next start finds then.
 * Tests kill at each of them, and at those of the bundler.
 */
export const checkpoints = [
  /** Nothing is written: nothing happened. */
  'build:estimated',
  /** The build waits for its signature, or expires. */
  'build:written',
  /** The signature was found good and nothing of it is written: the same one again is as good. */
  'sign:checked',
  /** The signature is written: the worker delivers. */
  'submit:signed',
  /** The bundler has it, the row does not say so: the worker delivers again, which changes nothing. */
  'submit:delivered',
  /** The worker drives the bundler and watches the chain. */
  'submit:submitted',
  /** The chain has it in a block, the row does not say so: whoever looks next reads it again. */
  'include:event-read',
  /** The row says so: the worker follows it until that is final. */
  'include:recorded',
  /** A final block has it, the row does not say so: the next pass reads it again. */
  'final:block-read',
  'final:recorded',
] as const

export type CheckpointName = (typeof checkpoints)[number]
