import { createBundler } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import type { OpenDatabase } from '@lanyard/database'
import { createNetworks, type NetworkConfig } from '@lanyard/networks'
import type { Logger } from 'pino'
import { createCheckpoint } from '../checkpoint.ts'
import type { Env } from '../env.ts'
import type { OperationDependencies } from '../operations/dependencies.ts'
import { createInclusionWatcher } from '../operations/inclusion-watcher.ts'
import { createRateLimits } from '../rate-limits/rate-limits.ts'
import type { Services } from '../services.ts'
import { openSigningKey } from '../tokens/signing-key.ts'
import { createTokens } from '../tokens/tokens.ts'
import { fixRelyingParty, type RelyingParty } from '../webauthn/relying-party.ts'
import { relayersFor } from './relayers.ts'

interface Foundation {
  readonly env: Env
  readonly log: Logger
  readonly now: () => Date
  readonly database: OpenDatabase
  readonly networkConfigs: readonly NetworkConfig[]
  /** Where the service listens: on localhost, its own pages hold the ceremonies. */
  readonly port: number
}

/** Whose pages may hold ceremonies, where ORIGINS does not say. */
const defaultOrigin = ({ RP_ID }: Env, port: number) =>
  RP_ID === 'localhost' ? `http://localhost:${port}` : `https://${RP_ID}`

/** Puts together what procedures and workers stand on; nothing runs by itself yet. */
export async function createServices(foundation: Foundation): Promise<Services> {
  const { env, log, now, database, port } = foundation
  const relyingParty: RelyingParty = {
    rpId: env.RP_ID,
    origins: env.ORIGINS.length > 0 ? env.ORIGINS : [defaultOrigin(env, port)],
  }
  // Of the origins only those that somebody chose are fixed: on localhost the port may be another one each time.
  const chosen = { rpId: env.RP_ID, origins: env.ORIGINS }
  await fixRelyingParty(database.db, chosen, { allowChange: env.RP_CHANGE === 'allow' })
  const signingKey = await openSigningKey({ database: database.db, now, log }, env.TOKEN_KEY)
  const checkpoint = createCheckpoint(env)
  const operations = createOperations(foundation, checkpoint)
  return {
    env,
    log,
    now,
    database: database.db,
    pingDatabase: () => database.ping(),
    networks: operations.networks,
    operations,
    relyingParty,
    tokens: createTokens(signingKey, { audience: relyingParty.rpId, now }),
    rateLimits: createRateLimits({ env, pool: database.pool, log }),
    checkpoint,
  }
}

function createOperations(
  { env, log, now, database: { db }, networkConfigs }: Foundation,
  checkpoint: Services['checkpoint'],
): OperationDependencies {
  const networks = createNetworks(networkConfigs, () => now().getTime())
  const bundlers = new Map(
    networks
      .list()
      .map((network) => [
        network.chainId,
        createBundler(network, { database: db, relayers: relayersFor(network.config, env), now, checkpoint }),
      ]),
  )
  const bundlerFor = (chainId: number) => {
    const bundler = bundlers.get(chainId)
    if (bundler) return bundler
    throw new LanyardError('UNKNOWN_NETWORK')
  }
  return {
    database: db,
    networks,
    bundlerFor,
    watcher: createInclusionWatcher({ database: db, networks, bundlerFor, log }),
    now,
    log,
    checkpoint,
    inclusionTimeout: env.INCLUSION_TIMEOUT * 1000,
  }
}
