import type { RequestListener } from 'node:http'
import type { OpenDatabase } from '@lanyard/database'
import type { RelyingParty } from '../domain/accounts/passkeys/relying-party.ts'
import { createIdentityProvider } from '../domain/operators/identity-provider.ts'
import { createCounter } from '../pipeline/rate-limits/counter.ts'
import { createCounterStore } from '../pipeline/rate-limits/counter-store.ts'
import type { Services } from '../pipeline/services.ts'
import type { Env } from '../platform/environment/env.ts'
import { createChangeStream } from './change-stream.ts'
import { createConsoleApp } from './console-app.ts'
import { assertApprovals } from './guarded-acts.ts'
import { createOverview } from './overview/overview-reader.ts'

/** Calls of one address a minute: an open page makes about 30. */
const callsPerMinute = 600

/** Ceremonies of one address a minute: a sign-in needs two. */
const ceremoniesPerMinute = 20

/** Puts the console together. @param port - on which it listens. @throws ConfigurationError */
export function createConsole(
  services: Services,
  { pool, port }: { readonly pool: OpenDatabase['pool']; readonly port: number },
): { readonly origin: string; readonly listener: RequestListener } {
  const { log } = services
  const store = pool && createCounterStore(pool)
  const counter = (name: string, points: number) =>
    createCounter({ name, points, windowSeconds: 60, store, log })
  const relyingParty = relyingPartyOfConsole(services.env, port)
  const origin = relyingParty.origins[0] ?? ''
  assertApprovals(services.env)
  const listener = createConsoleApp({
    ...{ services, relyingParty, origin, provider: createIdentityProvider(services.env, origin) },
    overview: createOverview(services),
    streamChanges: createChangeStream(services),
    countCall: counter('console:calls', callsPerMinute),
    countCeremony: counter('console:ceremonies', ceremoniesPerMinute),
  })
  return { origin, listener }
}

/** The relying party of the operators' passkeys. Its only origin is the address of the console. */
function relyingPartyOfConsole(
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
