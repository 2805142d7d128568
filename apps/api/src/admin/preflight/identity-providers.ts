import type { ConfiguredProvider } from '../../platform/environment/identity-providers.ts'
import { describeProvider } from '../../platform/open-id/describe-provider.ts'
import { type Findings, finding, findingIf } from './finding.ts'

/** The findings of preflight on an identity provider. */
export interface ProviderReport {
  readonly issuer: string
  readonly findings: Findings
}

/** Reads the description of each provider of IDENTITY_PROVIDERS, as the service does for a login. It never throws. */
export const preflightProviders = (
  providers: readonly ConfiguredProvider[],
): Promise<readonly ProviderReport[]> => Promise.all(providers.map(checkProvider))

async function checkProvider({
  issuer,
  clientId,
  clientSecret,
}: ConfiguredProvider): Promise<ProviderReport> {
  try {
    const configuration = await describeProvider({ issuer, clientId, clientSecret }).read()
    const metadata = configuration.serverMetadata()
    const missing = [
      metadata.authorization_endpoint === undefined && 'authorization_endpoint',
      metadata.token_endpoint === undefined && 'token_endpoint',
      metadata.jwks_uri === undefined && 'jwks_uri',
      // OAuth 2.0 metadata (RFC 8414): absent means unknown, and many providers do not name it.
      metadata.code_challenge_methods_supported !== undefined &&
        !metadata.code_challenge_methods_supported.includes('S256') &&
        'S256 among code_challenge_methods_supported',
    ].filter((one) => one !== false)
    return {
      issuer,
      findings: findingIf(missing.length > 0, 'IDENTITY_PROVIDER_LACKS', {
        message: `${issuer} lacks what a login needs.`,
        seen: `without ${missing.join(', ')}`,
        fix: 'Switch on the authorization code flow with PKCE at the provider, or use another one.',
      }),
    }
  } catch (error) {
    return {
      issuer,
      findings: finding('IDENTITY_PROVIDER_UNREADABLE', {
        message: `The description of ${issuer} cannot be read, so its logins name no user.`,
        seen: describeFailure(error),
        fix: 'Write the issuer exactly as the provider writes it, and let the service reach it.',
      }),
    }
  }
}

/** `fetch` says only "fetch failed" and keeps the reason in `cause`. */
function describeFailure(error: unknown): string {
  const { cause, message } = error instanceof Error ? error : new Error(String(error))
  return cause instanceof Error ? cause.message : message
}
