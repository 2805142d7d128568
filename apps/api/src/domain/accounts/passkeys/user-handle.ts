import { bytesOfBase64Url } from './base64url.ts'

/** The user's handle at the authenticator: the 16 bytes of the user's id. It contains no personal data. */
export const toUserHandle = (userId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'))

/** Whether a `userHandle` that an authenticator returned is this user's. */
export const isUserHandleOf = (userHandle: string, userId: string): boolean =>
  Buffer.from(toUserHandle(userId)).equals(bytesOfBase64Url(userHandle))
