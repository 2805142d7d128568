/** The canonical base64url spelling of the bytes: other spellings differ in bits that decoding drops. */
export const canonicalBase64Url = (text: string): string =>
  Buffer.from(text, 'base64url').toString('base64url')

export const bytesOfBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text, 'base64url'))
