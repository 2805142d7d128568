import type { Network } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, isAddressEqual } from 'viem'
import { type CliEnv, readCliEnv } from '../../platform/environment/env.ts'
import { CliError } from './cli-error.ts'
import { openNetwork, requireSmartBalance } from './open-network.ts'
import type { NetworkOptions, SendOptions } from './options.ts'
import { createOutput, type Output } from './output.ts'
import { type Owner, type OwnerRole, openOwner, ownerKeyRejected } from './owner.ts'
import type { OwnerCall } from './safe-batch.ts'
import { type SentCall, sendAsOwner } from './send-as-owner.ts'
import { terminal } from './terminal.ts'

/** The dependencies of a command about SmartBalance on one network. */
export interface SmartBalanceSession {
  readonly env: CliEnv
  readonly network: Network
  readonly contract: { readonly address: Address; readonly abi: typeof smartBalanceAbi }
  readonly output: Output
}

/** For commands that only read. */
export async function openSmartBalance(options: NetworkOptions): Promise<SmartBalanceSession> {
  const env = readCliEnv(terminal().env)
  const network = await openNetwork(env, options.network)
  const address = requireSmartBalance(network.config)
  return { env, network, contract: { address, abi: smartBalanceAbi }, output: createOutput(options) }
}

export interface OwnerSession extends SmartBalanceSession {
  readonly owner: Owner
  /** As {@link sendAsOwner}. */
  readonly send: (calls: readonly OwnerCall[]) => Promise<SentCall[]>
  /** Ends the command with its result. */
  readonly finish: (result: Readonly<Record<string, unknown>>) => void
}

/**
 * For commands that send transactions as the multisig that the options name, or with the key in
 * DEPLOYER_PRIVATE_KEY: on local networks, and on real ones that of the pauser, or of anyone who pays.
 *
 * @param caller - `anyone` if the contract accepts the calls from any account. `pauser` if it also accepts
 * them from the pauser, whose key DEPLOYER_PRIVATE_KEY may then be
 * @throws CliError `NOT_OWNER`; ConfigurationError without a usable key
 */
export async function openAsOwner(
  options: SendOptions,
  { caller = 'owner' }: { readonly caller?: OwnerRole } = {},
): Promise<OwnerSession> {
  const session = await openSmartBalance(options)
  const { env, network, contract, output } = session
  const owner = await openOwner(network, env, options, caller)
  if (caller !== 'anyone') await assertMay(network, contract.address, owner, caller, options)
  return {
    ...session,
    owner,
    send: (calls) => sendAsOwner({ network, owner, output, options }, calls),
    finish: (result) =>
      output.finish({ network: network.chainId, dryRun: options.dryRun ?? false, ...result }),
  }
}

async function assertMay(
  network: Network,
  smartBalance: Address,
  { account: { address: sender }, client: signer }: Owner,
  caller: 'owner' | 'pauser',
  { dryRun }: Pick<SendOptions, 'dryRun'>,
): Promise<void> {
  const contract = { address: smartBalance, abi: smartBalanceAbi } as const
  const [owner, pauser] = await network.call((client) =>
    Promise.all([
      client.readContract({ ...contract, functionName: 'owner' }),
      client.readContract({ ...contract, functionName: 'pauser' }),
    ]),
  )
  if (caller === 'pauser' && isAddressEqual(pauser, sender)) return
  if (isAddressEqual(owner, sender)) {
    // Only the pauser's key is exempt.
    if (signer && caller === 'pauser' && !network.config.local && !dryRun) throw ownerKeyRejected(network)
    return
  }
  throw new CliError(
    'NOT_OWNER',
    `${smartBalance} belongs to ${owner}, not to ${sender} (DEPLOYER_PRIVATE_KEY, or --safe).`,
  )
}
