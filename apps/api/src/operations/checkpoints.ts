/**
 * Where the process may die between a build and its submission's answer, and what the next start finds then.
 * Tests kill at each of them, and at those of the bundler.
 */
export const checkpoints = [
  /** Nothing is written: nothing happened. */
  'build:estimated',
  /** The build waits for its signature, or expires. */
  'build:written',
  /** The signature is written: the worker delivers. */
  'submit:signed',
  /** The bundler has it, the row does not say so: the worker delivers again, which changes nothing. */
  'submit:delivered',
  /** The worker drives the bundler and watches the chain. */
  'submit:submitted',
] as const

export type CheckpointName = (typeof checkpoints)[number]
