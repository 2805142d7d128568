import { z } from 'zod'
import { androidFile, appleFile } from './native-apps.ts'
import { type PasskeyDomain, relatedOrigins } from './relying-party.ts'

/** A file of the passkeys' domain, in which a browser or a phone looks up who else may use them. */
export interface DomainFile {
  readonly path: string
  readonly content: unknown
  /** Who may use the passkeys by such a file, as a browser or a phone reads it. Other entries do not count. */
  readonly entriesOf: (content: unknown) => readonly string[]
}

/** Reads what the schema accepts; a file in another form allows nobody. */
const reader =
  <T extends z.ZodType>(schema: T, entries: (content: z.output<T>) => readonly string[]) =>
  (content: unknown) => {
    const parsed = schema.safeParse(content)
    return parsed.success ? entries(parsed.data) : []
  }

const readOrigins = reader(z.object({ origins: z.array(z.string()) }), ({ origins }) => origins)

// Links that open the app (`applinks`) are often in the same file, and allow no passkeys.
const readAppleApps = reader(
  z.object({ webcredentials: z.object({ apps: z.array(z.string()) }) }),
  ({ webcredentials }) => webcredentials.apps,
)

const androidStatement = z.object({
  relation: z.array(z.string()),
  target: z.object({
    namespace: z.literal('android_app'),
    package_name: z.string(),
    sha256_cert_fingerprints: z.array(z.string()),
  }),
})

const readAndroidApps = reader(z.array(z.unknown()), (statements) =>
  statements.flatMap((statement) => {
    const { success, data } = androidStatement.safeParse(statement)
    if (!success || !data.relation.includes('delegate_permission/common.get_login_creds')) return []
    const { package_name, sha256_cert_fingerprints } = data.target
    return sha256_cert_fingerprints.map((fingerprint) => `${package_name}:${fingerprint.toUpperCase()}`)
  }),
)

/** The files of RP_ID that this configuration needs: none if only pages on RP_ID use its passkeys. */
export function domainFiles(domain: PasskeyDomain): readonly DomainFile[] {
  return [
    // WebAuthn L3 §5.11, related origins.
    {
      path: '/.well-known/webauthn',
      content: { origins: relatedOrigins(domain) },
      entriesOf: readOrigins,
    },
    {
      path: '/.well-known/apple-app-site-association',
      content: appleFile(domain.apps),
      entriesOf: readAppleApps,
    },
    {
      path: '/.well-known/assetlinks.json',
      content: androidFile(domain.apps),
      entriesOf: readAndroidApps,
    },
  ].filter(({ content, entriesOf }) => entriesOf(content).length > 0)
}
