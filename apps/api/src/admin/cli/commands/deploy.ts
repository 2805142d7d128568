import { defaultDeployment } from '@lanyard/accounts'
import type { Network, NetworkConfig } from '@lanyard/networks'
import {
  type DeploymentPlan,
  type DeploymentTarget,
  deploySmartBalance,
  planDeployment,
  predictSmartBalanceAddress,
} from '@lanyard/onchain'
import { type Command, Option } from 'commander'
import { type Address, formatEther, type Hash, isAddressEqual, parseEther } from 'viem'
import { readHourlyGas } from '../../../domain/smart-balance/settlement/top-up.ts'
import { counted } from '../../../platform/counted.ts'
import { type CliEnv, readCliEnv } from '../../../platform/environment/env.ts'
import { recordOutsideTransaction } from '../cli-audit.ts'
import { confirm } from '../confirm.ts'
import { ofOwner, withManual } from '../manual.ts'
import { openNetwork, requireSettlementToken } from '../open-network.ts'
import {
  collectAddresses,
  parseAddress,
  parseCount,
  parseNative,
  parseTokens,
  type SendOptions,
  withSending,
} from '../options.ts'
import { createOutput, type Output } from '../output.ts'
import { openOwner } from '../owner.ts'
import { assertRoleHolders, findRoleHolders, type NamedHolders } from '../role-holders.ts'
import { offer, recordOwnerCalls } from '../send-as-owner.ts'
import { terminal } from '../terminal.ts'

const about = `
Deploys the contracts of the smart balance, grants the roles, and funds it. You can run it again at any time, even after
an interruption: it looks at the network first and does only what is missing. It raises liquidity, gas deposit and stake
to the amounts given here and never lowers them. It sets the cap to the given amount.

The owner's address determines the address of SmartBalance: use the same owner on all networks.`

/** `lanyard deploy`: deploys SmartBalance and its related contracts on one network. */
export function addDeploy(group: Command): void {
  const command = withSending(group)
    .requiredOption('--outflow-cap <tokens>', 'maximum that may be lent in an hour', parseTokens)
    .addOption(raised('--liquidity <tokens>', 'the amount that can be lent', parseTokens, '0'))
    .option(
      '--gas-deposit <coins>',
      "raise the paymaster's gas deposit to this (default: what an hour needs, TOP_UP_PER_HOUR)",
      parseNative,
    )
    .addOption(raised('--stake <coins>', "the paymaster's stake", parseNative, '0.1'))
    .option('--operator <address>', 'signs orders; may be repeated', collectAddresses)
    .option('--settler <address>', 'sends settlements; may be repeated', collectAddresses)
    .option('--attestor <address>', 'attests outcomes; may be repeated', collectAddresses)
    .option(
      '--pauser <address>',
      'may pause new orders and settlement, and revoke operators, nothing else',
      parseAddress,
    )
    .option('--threshold <count>', 'how many attestors must agree', parseCount, 2)
  withManual(command, {
    about,
    environment: {
      ...ofOwner,
      OPERATOR_PRIVATE_KEY: 'its address is the default of --operator',
      SETTLER_PRIVATE_KEY: 'the same for --settler',
      ATTESTOR_PRIVATE_KEYS: 'the same for --attestor',
      TOP_UP_PER_HOUR: 'tokens; the default of --gas-deposit is as much at the price of the coin',
    },
    opensKeys: true,
    examples: [
      'deploy --network 8453 --outflow-cap 5000 --liquidity 20000 --dry-run',
      'deploy --network 8453 --outflow-cap 5000 --liquidity 20000 --yes --json',
    ],
  }).action((options: DeployOptions) => deploy(options))
}

/** An option for an amount that deploying raises to the given value, and never lowers. */
const raised = (flags: string, what: string, parse: (text: string) => bigint, fallback: string) =>
  new Option(flags, `raise ${what} to this`).argParser(parse).default(parse(fallback), fallback)

/** As parsed from the command line. */
interface DeployOptions extends SendOptions, NamedHolders {
  readonly outflowCap: bigint
  readonly threshold: number
  readonly pauser?: Address
  readonly gasDeposit?: bigint
  readonly stake: bigint
  readonly liquidity: bigint
}

const nothingToDo = 'Nothing to do: everything is in place.'

/** `lanyard deploy`. */
async function deploy(options: DeployOptions): Promise<void> {
  const env = readCliEnv(terminal().env)
  const network = await openNetwork(env, options.network)
  const owner = await openOwner(network, env, options)
  const output = createOutput(options)
  const target = await targetOf(network, env, options, owner.account.address)
  output.say(`${network.config.name} (${network.chainId}), owner ${target.owner}`)
  output.say(`SmartBalance at ${predictSmartBalanceAddress(target.owner)}`)

  const hashes: Hash[] = []
  const plan = await network.call((client) =>
    options.dryRun || !owner.client
      ? planDeployment(client, target)
      : deploySmartBalance(client, owner.client, target, {
          async onPlan({ steps }) {
            for (const { description } of steps) output.progress(`  ${description}`)
            await confirm(
              `Send these ${steps.length} transactions on ${network.config.name} (${network.chainId})`,
              options,
            )
            await recordOwnerCalls('owner.send', network, owner.account.address, steps)
          },
          onProgress: ({ step, position, total, state, transactionHash }) => {
            output.progress(
              `  ${position}/${total} ${state === 'sent' ? '…' : '✓'} ${step.description} ${transactionHash}`,
            )
            if (state === 'included') hashes.push(transactionHash)
          },
        }),
  )
  if (options.dryRun || !owner.client) {
    showPlan(plan, output)
    await offer({ network, owner, output, options }, plan.steps)
  } else {
    if (hashes.length > 0)
      await recordOutsideTransaction({
        act: 'owner.sent',
        subject: plan.smartBalance,
        after: { transactions: hashes },
      })
    output.say(plan.steps.length === 0 ? nothingToDo : `Done: ${counted(plan.steps.length, 'transaction')}.`)
  }
  const lines = networksFileLines(network.config, plan.smartBalance)
  for (const line of lines) output.say(line)
  output.finish(resultOf(network, options, plan, hashes))
}

/** Without a price of the coin, nobody knows what an hour costs. */
const unpricedDeposit = parseEther('0.1')

/** wei: more than this is only at risk if the operator's key is stolen. */
const hourlyGas = (network: Network, { TOP_UP_PER_HOUR }: CliEnv): Promise<bigint> =>
  network.config.nativePrice
    ? readHourlyGas(network, BigInt(TOP_UP_PER_HOUR))
    : Promise.resolve(unpricedDeposit)

async function targetOf(
  network: Network,
  env: CliEnv,
  options: DeployOptions,
  owner: `0x${string}`,
): Promise<DeploymentTarget> {
  const { config } = network
  const holders = await findRoleHolders(config, env, options)
  assertRoleHolders(config, holders)
  const { outflowCap, stake, liquidity, threshold, pauser } = options
  const gasDeposit = options.gasDeposit ?? (await hourlyGas(network, env))
  return {
    owner,
    token: requireSettlementToken(config).address,
    entryPoint: config.entryPoint,
    safe4337Module: defaultDeployment.module,
    ...holders,
    ...(pauser && { pauser }),
    ...{ threshold, outflowCap, gasDeposit, stake, liquidity },
  }
}

function showPlan({ steps, ...plan }: DeploymentPlan, output: Output): void {
  if (steps.length === 0) output.say(nothingToDo)
  for (const { description } of steps) output.say(`  would ${description}`)
  const enough = (balance: bigint, needed: bigint) => (balance < needed ? ' — NOT ENOUGH' : '')
  const { nativeNeeded, nativeBalance, tokenNeeded, tokenBalance } = plan
  output.say(
    `Needs about ${formatEther(nativeNeeded)} of the native coin; the owner has ${formatEther(nativeBalance)}${enough(nativeBalance, nativeNeeded)}`,
  )
  output.say(
    `Needs ${tokenNeeded} base units of the token; the owner has ${tokenBalance}${enough(tokenBalance, tokenNeeded)}`,
  )
}

function resultOf(
  { chainId }: Network,
  { dryRun = false }: DeployOptions,
  plan: DeploymentPlan,
  hashes: Hash[],
) {
  const { smartBalance, verifier, nativeNeeded, nativeBalance, tokenNeeded, tokenBalance } = plan
  const steps = plan.steps.map(({ name, description }, index) => ({
    name,
    description,
    ...(hashes[index] && { transactionHash: hashes[index] }),
  }))
  return {
    ...{ network: chainId, dryRun, smartBalance, verifier, steps },
    ...{ nativeNeeded, nativeBalance, tokenNeeded, tokenBalance },
  }
}

/** The lines to add to the network's entry in NETWORKS_FILE once SmartBalance is deployed. */
function networksFileLines(
  { chainId, smartBalance, nativePrice }: NetworkConfig,
  deployed: Address,
): string[] {
  const isNamed = smartBalance !== undefined && isAddressEqual(smartBalance, deployed)
  if (isNamed) return ['NETWORKS_FILE already names it.']
  return [
    `Put this into network ${chainId} of NETWORKS_FILE${smartBalance ? `, in place of ${smartBalance}` : ''}:`,
    `  "smartBalance": "${deployed}"${nativePrice ? '' : ','}`,
    ...(nativePrice
      ? []
      : [
          '  "nativePrice": { "kind": "chainlink", "feed": "<native coin / USD feed of this network>", "maximumAge": 5400 }',
        ]),
  ]
}
