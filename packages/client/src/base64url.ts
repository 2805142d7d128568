/**
 * Decodes base64url without padding (RFC 4648 §5), as WebAuthn writes it. `atob` exists in Node and in
 * browsers.
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
