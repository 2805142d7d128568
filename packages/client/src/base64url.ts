/** Bytes of base64url without padding (RFC 4648 §5), as WebAuthn writes them; `atob` is in Node and browsers alike. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
