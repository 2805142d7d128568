import { defaultVerifiers, encodeInitCode, safeDeployment } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Transaction } from 'kysely'
import { createWalletClient, custom, sliceHex } from 'viem'
import type { Services } from '../services.ts'
import { faucetAccount } from './faucet-account.ts'

const sponsored = ({ networks }: Pick<Services, 'networks'>) =>
  networks.list().filter(({ config }) => config.local)

/**
 * The service pays for deployments on local networks only: on a real one anybody could spend its money.
 *
 * @throws DEPLOYMENT_REFUSED
 */
export function requireSponsor(services: Pick<Services, 'networks' | 'env'>): void {
  if (sponsored(services).length > 0 && services.env.SPONSORED_DEPLOYMENTS > 0) return
  throw new LanyardError('DEPLOYMENT_REFUSED', {
    message:
      'The service pays for no deployments here. Register without deployWallet: the first operation on a network deploys the account there.',
  })
}

/**
 * Takes one deployment out of the day's budget (UTC).
 *
 * @throws DEPLOYMENT_REFUSED when it is used up
 */
export async function reserveSponsorship(
  transaction: Transaction<Database>,
  { env, now }: Pick<Services, 'env' | 'now'>,
): Promise<void> {
  const day = now().toISOString().slice(0, 10)
  const reserved = await transaction
    .insertInto('sponsored_deployments')
    .values({ day, count: 1 })
    .onConflict((conflict) =>
      conflict
        .column('day')
        .doUpdateSet(({ eb }) => ({ count: eb('sponsored_deployments.count', '+', 1) }))
        .where('sponsored_deployments.count', '<', env.SPONSORED_DEPLOYMENTS),
    )
    .returning('count')
    .executeTakeFirst()
  if (reserved) return
  throw new LanyardError('DEPLOYMENT_REFUSED', {
    message: "The day's budget for deployments is used up. Register without deployWallet.",
  })
}

/**
 * Deploys a new passkey account on every local network. The account exists by now, so a network that fails is only
 * logged; the answer's `multi_scw` shows where the account is deployed.
 */
export async function deploySponsored(services: Services, { x, y }: { x: bigint; y: bigint }): Promise<void> {
  const initCode = encodeInitCode({ kind: 'passkey', x, y, verifiers: defaultVerifiers }, safeDeployment)
  await Promise.all(
    sponsored(services).map(async (network) => {
      try {
        await deploy(network, initCode)
      } catch (error) {
        services.log.warn({ err: error, network: network.chainId }, 'could not deploy a new account')
      }
    }),
  )
}

async function deploy({ client }: Network, initCode: `0x${string}`): Promise<void> {
  const wallet = createWalletClient({
    account: faucetAccount(),
    transport: custom(client, { retryCount: 0 }),
  })
  // initCode is factory ‖ call data (ERC-4337); here the factory is called directly.
  const hash = await wallet.sendTransaction({
    chain: client.chain ?? null,
    to: sliceHex(initCode, 0, 20),
    data: sliceHex(initCode, 20),
  })
  await client.waitForTransactionReceipt({ hash, timeout: 15_000 })
}
