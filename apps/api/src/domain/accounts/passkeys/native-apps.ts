import type { AndroidApp, NativeApps } from '../../../platform/environment/native-apps.ts'

/** The origin that Android's Credential Manager writes into clientDataJSON. */
const androidOrigin = ({ certificate }: AndroidApp): string =>
  `android:apk-key-hash:${Buffer.from(certificate, 'hex').toString('base64url')}`

/** The origins of ceremonies in these apps. iOS names the domain itself; Android names the app's certificate. */
export const originsOfApps = (rpId: string, { ios, android }: NativeApps): readonly string[] => [
  ...(ios.length > 0 ? [`https://${rpId}`] : []),
  ...new Set(android.map(androidOrigin)),
]

/** The file in which iOS looks for apps that may use the domain's passkeys (Apple, "Supporting associated domains"). */
export const appleFile = ({ ios }: NativeApps) => ({ webcredentials: { apps: ios } })

/**
 * The file in which Android looks for them (Digital Asset Links). Credential Manager's guide names both relations for apps
 * that share credentials with a site.
 */
export const androidFile = ({ android }: NativeApps) =>
  [...Map.groupBy(android, ({ packageName }) => packageName)].map(([packageName, apps]) => ({
    relation: ['delegate_permission/common.handle_all_urls', 'delegate_permission/common.get_login_creds'],
    target: {
      namespace: 'android_app',
      package_name: packageName,
      sha256_cert_fingerprints: apps.map(({ certificate }) => certificate.match(/../g)?.join(':') ?? ''),
    },
  }))
