import { androidFile, appleFile } from './native-apps.ts'
import { type PasskeyDomain, relatedOrigins } from './relying-party.ts'

/** A file of the passkeys' domain, in which a browser or a phone looks up who else may use them. */
export interface DomainFile {
  readonly path: string
  readonly content: unknown
  /** Each entry that has to be in the file, at any depth. */
  readonly entries: readonly string[]
}

/** The files of RP_ID that this configuration needs: none if only pages on RP_ID use its passkeys. */
export function domainFiles(domain: PasskeyDomain): readonly DomainFile[] {
  const { apps } = domain
  const origins = relatedOrigins(domain)
  const android = androidFile(apps)
  return [
    // WebAuthn L3 §5.11, related origins.
    { path: '/.well-known/webauthn', content: { origins }, entries: origins },
    { path: '/.well-known/apple-app-site-association', content: appleFile(apps), entries: apps.ios },
    {
      path: '/.well-known/assetlinks.json',
      content: android,
      entries: android.flatMap(({ target }) => [target.package_name, ...target.sha256_cert_fingerprints]),
    },
  ].filter(({ entries }) => entries.length > 0)
}
