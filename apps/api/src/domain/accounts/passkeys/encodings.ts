import { z } from 'zod'

/** The canonical base64url spelling of the bytes: other spellings differ in bits that decoding drops. */
export const canonicalBase64Url = (text: string): string =>
  Buffer.from(text, 'base64url').toString('base64url')

export const bytesOfBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text, 'base64url'))

/** The user's handle at the authenticator: the 16 bytes of the user's id. It contains no personal data. */
export const toUserHandle = (userId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'))

/** Whether a `userHandle` that an authenticator returned is this user's. */
export const isUserHandleOf = (userHandle: string, userId: string): boolean =>
  Buffer.from(toUserHandle(userId)).equals(bytesOfBase64Url(userHandle))

/** WebAuthn L3 §5.8.4; `cable` is an older name that browsers still send. */
const known = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

const transport = z.enum(known)
export type Transport = z.output<typeof transport>

/** Transports are only hints for the browser: unknown values are dropped. */
export function readTransports(value: unknown): Transport[] {
  if (!Array.isArray(value)) return []
  return [...new Set(value.flatMap((name) => transport.safeParse(name).data ?? []))]
}
