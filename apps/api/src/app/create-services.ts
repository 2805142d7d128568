import { createBundler } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import type { OpenDatabase, ReadReplica } from '@lanyard/database'
import { createNetworks, forAttestors, type NetworkConfig, type Networks } from '@lanyard/networks'
import type { Logger } from 'pino'
import { fixAccountDeployment } from '../domain/accounts/accounts/account-deployment.ts'
import { createApiKeys } from '../domain/accounts/api-keys/api-keys.ts'
import { requireSecretKey } from '../domain/accounts/api-keys/require-secret-key.ts'
import { deriveWalletKey } from '../domain/accounts/api-keys/wallet-key.ts'
import { createLogins } from '../domain/accounts/identities/logins.ts'
import { fixRelyingParty, type RelyingParty } from '../domain/accounts/passkeys/relying-party.ts'
import { createUnusedKey, openSigningKeys } from '../domain/accounts/tokens/signing-key.ts'
import { createTokens } from '../domain/accounts/tokens/tokens.ts'
import { createEventStreams } from '../domain/events/streams/event-streams.ts'
import { addWebhookGauges } from '../domain/events/webhooks/webhook-gauges.ts'
import { deriveEncryptionKeys } from '../domain/events/webhooks/webhook-secrets.ts'
import type { LivePolicies } from '../domain/gas-policies/live-policies.ts'
import { addPolicyGauges } from '../domain/gas-policies/policy-gauges.ts'
import type { OperationDependencies } from '../domain/operations/dependencies.ts'
import { createInclusionWatcher } from '../domain/operations/track/inclusion-watcher.ts'
import { createPrices } from '../domain/prices/prices.ts'
import { smartBalanceNetworks } from '../domain/smart-balance/model/get-smart-balance.ts'
import { payerHooks } from '../domain/smart-balance/orders/operation-hooks.ts'
import { addExposureGauges } from '../domain/smart-balance/settlement/exposure.ts'
import { createCallCosts } from '../pipeline/costs/call-costs.ts'
import { createRateLimits } from '../pipeline/rate-limits/rate-limits.ts'
import type { Services } from '../pipeline/services.ts'
import { createSharedReads } from '../pipeline/shared-reads.ts'
import type { Brand } from '../platform/brand/read-brand.ts'
import { publishCheckpoint } from '../platform/checkpoint.ts'
import { type Env, usesTokens } from '../platform/environment/env.ts'
import { toBlockList } from '../platform/environment/private-range.ts'
import { sendsOperations } from '../platform/environment/sends-operations.ts'
import type { Keys } from '../platform/keys/keys.ts'
import { relayersFor } from '../platform/keys/role-keys.ts'
import { currentRpcCaller, whileIdle } from '../platform/log/current-request.ts'
import { addAlarmGauges } from '../platform/metrics/alarm-gauges.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import {
  addCircuitGauge,
  addProviderGauges,
  announceNetworks,
  observeBundler,
  observeNetworks,
  observeRelayers,
} from '../platform/metrics/observe.ts'
import { addOperationGauges } from '../platform/metrics/operation-gauges.ts'
import { addRelayerGauge, type Relayer } from '../platform/metrics/relayer-gauge.ts'
import { addUnpaidGasGauge } from '../platform/metrics/unpaid-gas-gauge.ts'
import type { Tracing } from '../platform/tracing/span.ts'
import { operationFeatures } from './operation-features.ts'
import { screeningOf } from './screening.ts'

interface Foundation {
  readonly env: Env
  readonly keys: Keys
  readonly metrics: Metrics
  readonly log: Logger
  readonly now: () => Date
  readonly database: OpenDatabase
  readonly networkConfigs: readonly NetworkConfig[]
  readonly policies: LivePolicies
  readonly reads: ReadReplica
  readonly brand: Brand
  /** The port of the service: on localhost, its own pages run the ceremonies. */
  readonly port: number
  readonly tracing: Tracing
  readonly closing: AbortSignal
}

/** The origin of pages that may run ceremonies when ORIGINS is not set. */
const defaultOrigin = ({ RP_ID }: Env, port: number) =>
  RP_ID === 'localhost' ? `http://localhost:${port}` : `https://${RP_ID}`

const relyingPartyOf = ({ env, brand, port }: Foundation): RelyingParty => ({
  name: brand.shown.name,
  rpId: env.RP_ID,
  origins: env.ORIGINS.length > 0 ? env.ORIGINS : [defaultOrigin(env, port)],
  apps: { ios: env.IOS_APPS, android: env.ANDROID_APPS },
  hidesCredentials: env.CREDENTIAL_IDS === 'hidden',
})

/** Creates the services that procedures and workers use; it starts no background work. */
export async function createServices(foundation: Foundation): Promise<Services> {
  const { env, metrics, log, now, database, tracing } = foundation
  const relyingParty = relyingPartyOf(foundation)
  // Only configured origins are fixed: on localhost the port may differ at each start.
  const chosen = { ...relyingParty, origins: env.ORIGINS }
  await fixRelyingParty(database.db, chosen, { allowChange: env.RP_CHANGE === 'allow' })
  const signingKeys = usesTokens(env)
    ? await openSigningKeys({ database: database.db, now, log }, env.TOKEN_KEY)
    : ([await createUnusedKey()] as const)
  if (env.ROLES.includes('api')) await requireSecretKey(env, database.db)
  const walletKeys = env.WALLET
    ? await Promise.all(signingKeys.map((key) => deriveWalletKey(key, relyingParty.origins)))
    : []
  const apiKeys = createApiKeys({ env, database: database.db, log, walletKeys })
  const checkpoint: Services['checkpoint'] = publishCheckpoint
  addOperationGauges(metrics, { database: database.db, now })
  addAlarmGauges(metrics, { database: database.db, now })
  addWebhookGauges(metrics, database.db, now)
  const sharedReads = createSharedReads(env.READ_CACHE)
  const callCosts = createCallCosts({ env, pool: database.pool, log, metrics, closing: foundation.closing })
  const operations = createOperations(foundation, checkpoint, { metrics, tracing, sharedReads })
  addCircuitGauge(metrics, operations.networks)
  addProviderGauges(metrics, operations.networks)
  if (sendsOperations(env)) {
    const relayers = relayersOf(operations.networks, foundation.keys)
    addRelayerGauge(metrics, relayers)
    const networks = [...new Set(relayers.map(({ network }) => network))]
    addUnpaidGasGauge(metrics, { database: database.db, networks, now })
  }
  addExposureGauges(metrics, { database: database.db, networks: operations.networks, now })
  announceNetworks(metrics, operations.networks)
  for (const { chainId: network } of smartBalanceNetworks(operations.networks))
    metrics.announce('balance', { network })
  addPolicyGauges(metrics, { database: database.db, policies: foundation.policies.list })
  return {
    env,
    keys: foundation.keys,
    log,
    now,
    database: database.db,
    pingDatabase: () => database.ping(),
    reads: foundation.reads,
    networks: operations.networks,
    accountDeployment: await fixAccountDeployment(database.db, operations.networks, env.ACCOUNT_MODULES),
    attestorNetworks: attestorNetworks(foundation, operations.networks),
    operations,
    project: {
      ...{ id: 'default', relyingParty, brand: foundation.brand, policies: foundation.policies },
      limits: createRateLimits({ env, pool: database.pool, log }),
      logins: createLogins(env.IDENTITY_PROVIDERS, { secrets: env.IDENTITY_SECRETS, now }),
      // Private addresses are allowed for local networks only.
      webhooks: {
        isLocal: operations.networks.list().every(({ config }) => config.local),
        privateRanges: toBlockList(env.WEBHOOK_PRIVATE_RANGES),
        ...deriveEncryptionKeys(env.TOKEN_KEY),
      },
    },
    tokens: createTokens(signingKeys, {
      audience: relyingParty.rpId,
      now,
      lifetime: env.TOKEN_LIFETIME * 60,
    }),
    callCosts,
    sharedReads,
    prices: createPrices({ source: env.PRICE_SOURCE, networks: operations.networks, now, log }),
    apiKeys,
    eventStreams: createEventStreams({ database: database.db, now, log, closing: foundation.closing }),
    metrics,
    tracing,
    closing: foundation.closing,
    checkpoint,
  }
}

/** Attestors of a process that has none need no RPCs of their own. */
const attestorNetworks = ({ env, metrics, log, now, networkConfigs }: Foundation, networks: Networks) =>
  env.ROLES.includes('attestor') &&
  networkConfigs.some(({ attestorRpcUrls }) => attestorRpcUrls !== undefined)
    ? createNetworks(networkConfigs.map(forAttestors), () => now().getTime(), observeNetworks(metrics, log))
    : networks

const relayersOf = (networks: Networks, keys: Keys): readonly Relayer[] =>
  networks
    .list()
    .flatMap((network) => relayersFor(network.config, keys).map(({ address }) => ({ network, address })))

function createOperations(
  { env, keys, log, now, database: { db }, networkConfigs, policies }: Foundation,
  checkpoint: Services['checkpoint'],
  { sharedReads, ...observers }: Pick<Services, 'metrics' | 'tracing' | 'sharedReads'>,
): OperationDependencies {
  const networks = createNetworks(networkConfigs, () => now().getTime(), {
    ...observeNetworks(observers.metrics, log),
    callerOf: currentRpcCaller,
  })
  const bundlers = new Map(
    networks
      .list()
      .filter(() => sendsOperations(env))
      .map((network) => [
        network.chainId,
        observeBundler(
          createBundler(network, {
            database: db,
            relayers: relayersFor(network.config, keys),
            now,
            checkpoint,
            observe: observeRelayers(observers.metrics, log),
          }),
          network.chainId,
          observers,
        ),
      ]),
  )
  const bundlerFor = (chainId: number) => {
    const bundler = bundlers.get(chainId)
    if (bundler) return bundler
    throw new LanyardError('UNKNOWN_NETWORK')
  }
  const watcher = createInclusionWatcher({
    database: db,
    networks,
    features: operationFeatures,
    bundlerFor,
    log,
    checkpoint,
  })
  return {
    database: db,
    networks,
    bundlerFor,
    watcher: {
      ...watcher,
      // Clears the cache, so that a reader who is notified of an inclusion gets the state after it.
      wait: (row, timeout) => whileIdle(() => watcher.wait(row, timeout)).finally(sharedReads.clear),
      failureOn: watcher.failureOn,
    },
    features: operationFeatures,
    screening: screeningOf({ env, database: db, metrics: observers.metrics, now }),
    payerHooks: payerHooks({ policies: policies.list, metrics: observers.metrics, networks, now }),
    now,
    log,
    checkpoint,
    inclusionTimeout: env.INCLUSION_TIMEOUT * 1000,
  }
}
