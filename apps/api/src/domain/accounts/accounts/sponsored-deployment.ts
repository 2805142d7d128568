import { setTimeout as delay } from 'node:timers/promises'
import { type AccountDeployment, computeAccountAddress, encodeInitCode, toOwner } from '@lanyard/accounts'
import type { Bundler } from '@lanyard/bundler'
import { LanyardError } from '@lanyard/contracts'
import { budgetDayOf, type Database, takeOne } from '@lanyard/database'
import type { Network, Networks } from '@lanyard/networks'
import type { Transaction } from 'kysely'
import type { Logger } from 'pino'
import { sliceHex } from 'viem'
import type { Env } from '../../../platform/environment/env.ts'
import { type ApiKey, callerName } from '../api-keys/api-key.ts'

/** Deployments per day for one API key on local networks, where they cost nothing. */
const localBudget = 100

/** Milliseconds within which a deployment has to be mined. */
const deploymentTimeout = 15_000

/** A deployment counts once, on however many networks. */
const everyNetwork = 0

/** All callers without a key share one budget. */
const nobody = 'anonymous'

interface SponsorServices {
  readonly accountDeployment: AccountDeployment
  readonly env: Pick<Env, 'SPONSORED_DEPLOYMENTS'>
  readonly networks: Networks
  readonly operations: { readonly bundlerFor: (chainId: number) => Bundler }
}

const budgetOf = ({ env }: Pick<SponsorServices, 'env'>) => env.SPONSORED_DEPLOYMENTS ?? localBudget

/** On real networks the service pays only if the operator has set a budget and configured a relayer. */
const sponsored = ({ networks, env, operations }: SponsorServices) =>
  networks
    .list()
    .filter(({ config }) => config.local || env.SPONSORED_DEPLOYMENTS !== undefined)
    .flatMap((network) => {
      const bundler = operations.bundlerFor(network.chainId)
      return bundler.sendOwn ? [{ network, sendOwn: bundler.sendOwn }] : []
    })

/**
 * Checks that the service pays for deployments on at least one network.
 *
 * @throws DEPLOYMENT_REFUSED
 */
export function requireSponsor(services: SponsorServices): void {
  if (budgetOf(services) > 0 && sponsored(services).length > 0) return
  throw new LanyardError('DEPLOYMENT_REFUSED', {
    message:
      'The service does not pay for deployments here. Register without deployWallet. The first operation on a network deploys the account there.',
  })
}

/**
 * Takes one deployment out of the day's budget (UTC) of an API key.
 *
 * @throws DEPLOYMENT_REFUSED when it is used up
 */
export async function reserveSponsorship(
  transaction: Transaction<Database>,
  services: Pick<SponsorServices, 'env'> & { readonly now: () => Date },
  apiKey: ApiKey | undefined,
): Promise<void> {
  const name = apiKey ? callerName(apiKey) : nobody
  const budget = { network: everyNetwork, budget: `deployments:${name}`, day: budgetDayOf(services.now()) }
  if ((await takeOne(transaction, budget, budgetOf(services))) !== undefined) return
  throw new LanyardError('DEPLOYMENT_REFUSED', {
    message: "The day's budget for deployments is spent. Register without deployWallet.",
  })
}

/**
 * Deploys a new passkey account through the relayer on every network where the service pays for it. The
 * account already exists by then, so a failure on a network is only logged. `multi_scw` in the answer shows
 * where the account is deployed.
 */
export async function deploySponsored(
  services: SponsorServices & { readonly log: Logger; readonly sharedReads: { clear(): void } },
  { x, y }: { x: bigint; y: bigint },
): Promise<void> {
  const owner = toOwner({ x, y })
  const initCode = encodeInitCode(owner, services.accountDeployment)
  const address = computeAccountAddress(owner, services.accountDeployment)
  const call = {
    // initCode is factory ‖ call data (ERC-4337). Here the factory is called directly.
    to: sliceHex(initCode, 0, 20),
    data: sliceHex(initCode, 20),
    intent: `deploy:${address.toLowerCase()}`,
  }
  await Promise.all(
    sponsored(services).map(async ({ network, sendOwn }) => {
      try {
        await sendOwn(call)
        await waitForCode(network, address)
      } catch (error) {
        services.log.warn({ err: error, network: network.chainId }, 'could not deploy a new account')
      }
    }),
  )
  services.sharedReads.clear()
}

async function waitForCode(network: Network, address: `0x${string}`): Promise<void> {
  const { pollingInterval } = network.config
  for (let waited = 0; waited < deploymentTimeout; waited += pollingInterval) {
    if (await network.call((client) => client.getCode({ address }))) return
    await delay(pollingInterval)
  }
  throw new LanyardError('NETWORK_UNAVAILABLE')
}
