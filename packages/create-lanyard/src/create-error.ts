/** A mistake of the caller. `message` says what to do. Nothing was written. */
export class CreateError extends Error {
  override readonly name = 'CreateError'
}
