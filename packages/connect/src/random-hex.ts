/** 16 random bytes as 32 hex digits without a prefix. */
export function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
