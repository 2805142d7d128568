import type { RelyingParty } from '../domain/accounts/passkeys/relying-party.ts'
import type { Env } from '../platform/environment/env.ts'

/** The relying party of the operators' passkeys. Its only origin is the address of the console. */
export function relyingPartyOfConsole(
  { CONSOLE_ORIGIN, CONSOLE_RP_ID }: Pick<Env, 'CONSOLE_ORIGIN' | 'CONSOLE_RP_ID'>,
  port: number,
): RelyingParty {
  const origin = CONSOLE_ORIGIN ?? `http://localhost:${port}`
  return {
    name: 'Lanyard',
    rpId: CONSOLE_RP_ID ?? new URL(origin).hostname,
    origins: [origin],
    apps: { ios: [], android: [] },
  }
}
