/** An encrypted file cannot be used. The message names the file and the reason, for the person who configured it. */
export class KeystoreError extends Error {
  override readonly name = 'KeystoreError'

  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`${path}: ${reason}`, options)
  }
}
