/** An Android app, as the system identifies it. */
export interface AndroidApp {
  /** Such as `com.example.wallet`. */
  readonly packageName: string
  /** SHA-256 of the certificate that signs it: 64 hex digits in upper case. */
  readonly certificate: string
}

/** Apps that run ceremonies without a page. */
export interface NativeApps {
  /** `<team>.<bundle>`, as Apple names an app (application identifier). */
  readonly ios: readonly string[]
  readonly android: readonly AndroidApp[]
}

/**
 * Reads `<team>.<bundle>`: ten letters or digits, and a bundle identifier (letters, digits, hyphens and dots).
 *
 * @returns undefined if it is none
 */
export const parseIosApp = (text: string): string | undefined =>
  /^[A-Z0-9]{10}\.[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(text) ? text : undefined

/**
 * Reads `<package>:<SHA-256>`; the hash is hex, with or without colons between its bytes, as `keytool` and Play Console
 * print it.
 *
 * @returns undefined if it is none
 */
export function parseAndroidApp(text: string): AndroidApp | undefined {
  const [, packageName, hash] = /^([A-Za-z]\w*(?:\.[A-Za-z]\w*)+):([\dA-Fa-f:]+)$/.exec(text) ?? []
  if (!packageName || !hash) return undefined
  const isHash = /^[\dA-Fa-f]{64}$/.test(hash) || /^([\dA-Fa-f]{2}:){31}[\dA-Fa-f]{2}$/.test(hash)
  return isHash ? { packageName, certificate: hash.replaceAll(':', '').toUpperCase() } : undefined
}
