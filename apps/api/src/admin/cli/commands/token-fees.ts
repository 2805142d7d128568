import { entryPointsOf, entryPointV08, type Network } from '@lanyard/networks'
import {
  deterministicDeployer,
  entryPointAbi,
  predictTokenPaymasterAddress,
  tokenPaymasterAbi,
  tokenPaymasterDeployment,
} from '@lanyard/onchain'
import { type Command, Option } from 'commander'
import { type Address, erc20Abi, formatEther, formatUnits, isAddressEqual } from 'viem'
import { CliError } from '../cli-error.ts'
import { ofNetworks, ofRecorded } from '../manual.ts'
import { parseAddress, parseNative, type SendOptions } from '../options.ts'
import { callOf, reach, sendOne, withCall, withStatus } from '../owner-command.ts'
import type { SmartBalanceSession } from '../smart-balance-session.ts'

const about = `
TokenPaymaster pays for the gas of accounts and takes a token for it, as gas policies with "charge" say. There is one for each
EntryPoint: v0.7 for Safes, v0.8 for EOAs that are accounts. Both belong to the owner of SmartBalance. Not audited.`

interface EntryPointOptions extends SendOptions {
  readonly entryPoint: 'v0.7' | 'v0.8'
}

interface AmountOptions extends EntryPointOptions {
  readonly amount: bigint
  readonly to?: Address
}

interface CollectOptions extends EntryPointOptions {
  readonly token: Address
  readonly to?: Address
}

const withEntryPoint = (command: Command): Command =>
  command.addOption(
    new Option('--entry-point <version>', 'whose contract').choices(['v0.7', 'v0.8']).default('v0.7'),
  )

/** `lanyard token-fees status|deploy|deposit|withdraw|collect`. */
export function addTokenFees(group: Command): void {
  withStatus(
    group.command('status').description('show the contracts, their gas deposits and the tokens they took'),
    { about, environment: ofNetworks, examples: ['token-fees status --network 8453'] },
    async (session) => {
      const paymasters = await readPaymasters(session)
      const lines = paymasters.flatMap(({ address, version, isDeployed, gasDeposit, tokens }) => [
        `TokenPaymaster ${address} for EntryPoint ${version}${isDeployed ? '' : ', not deployed'}`,
        `  gas deposit       ${formatEther(gasDeposit)} of the native coin`,
        ...tokens.map(
          ({ symbol, decimals, amount }) =>
            `  ${symbol.padEnd(16)}  ${formatUnits(amount, decimals)} taken, and not collected`,
        ),
      ])
      return { lines, result: { paymasters } }
    },
  )
  withCall(group.command('deploy').description('deploy the contracts that are missing'), {
    about,
    environment: {
      ...ofNetworks,
      ...ofRecorded,
      DEPLOYER_PRIVATE_KEY: 'needed: any key with coins for gas',
    },
    examples: ['token-fees deploy --network 8453 --dry-run'],
    caller: 'anyone',
    act: (session) =>
      reach({
        read: () => readPaymasters(session),
        calls: (paymasters) =>
          paymasters
            .filter(({ isDeployed }) => !isDeployed)
            .map(({ address, version, entryPoint }) => ({
              description: `deploy TokenPaymaster for EntryPoint ${version} at ${address}`,
              to: deterministicDeployer,
              data: tokenPaymasterDeployment({ entryPoint, smartBalance: session.contract.address }),
            })),
        end: (_, sent) => sent.length === 0 && 'Everything is deployed already.',
        result: (paymasters) => ({ paymasters: paymasters.map(({ address }) => address) }),
      }),
  })
  withEntryPoint(
    withCall<AmountOptions>(group.command('deposit').description('add to a gas deposit'), {
      environment: {
        ...ofNetworks,
        ...ofRecorded,
        DEPLOYER_PRIVATE_KEY: 'needed: the payer; anyone may pay',
      },
      examples: ['token-fees deposit --network 8453 --amount 0.05'],
      caller: 'anyone',
      async act(session, { amount, entryPoint }) {
        const paymaster = await requirePaymaster(session, entryPoint)
        const description = `add ${formatEther(amount)} of the native coin to the gas deposit of ${paymaster.address}`
        return sendOne(callOf(paymaster, description, 'depositGas', [], amount), { amount })
      },
    }).requiredOption('--amount <coins>', 'amount of the native coin', parseNative),
  )
  withEntryPoint(
    withCall<AmountOptions>(group.command('withdraw').description('withdraw from a gas deposit'), {
      examples: ['token-fees withdraw --network 8453 --amount 0.05'],
      async act(session, { amount, entryPoint, to = session.owner.account.address }) {
        const paymaster = await requirePaymaster(session, entryPoint)
        const description = `withdraw ${formatEther(amount)} of the native coin from the gas deposit of ${paymaster.address} to ${to}`
        return sendOne(callOf(paymaster, description, 'withdrawGas', [to, amount]), { to, amount })
      },
    })
      .requiredOption('--amount <coins>', 'amount of the native coin', parseNative)
      .option('--to <address>', 'the recipient (default: the owner)', parseAddress),
  )
  withEntryPoint(
    withCall<CollectOptions>(group.command('collect').description('pay out all of a token that was taken'), {
      examples: [
        'token-fees collect --network 8453 --token 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 --dry-run',
      ],
      async act(session, { token, entryPoint, to = session.owner.account.address }) {
        const paymaster = await requirePaymaster(session, entryPoint)
        const amount = await session.network.call((client) =>
          client.readContract({
            address: token,
            abi: erc20Abi,
            functionName: 'balanceOf',
            args: [paymaster.address],
          }),
        )
        const known = session.network.feeTokens.find((one) => isAddressEqual(one.address, token))
        const what = known
          ? `${formatUnits(amount, known.decimals)} ${known.symbol}`
          : `${amount} base units of ${token}`
        const call = callOf(paymaster, `pay ${what} to ${to}`, 'withdrawToken', [token, to, amount])
        return reach({
          read: async () => amount,
          calls: () => (amount === 0n ? [] : [call]),
          end: () => amount === 0n && 'There is nothing to collect.',
          result: () => ({ token, to, amount }),
        })
      },
    })
      .requiredOption('--token <address>', 'the token', parseAddress)
      .option('--to <address>', 'the recipient (default: the owner)', parseAddress),
  )
}

/** @throws CliError if it is not deployed */
async function requirePaymaster(
  { network, contract }: Pick<SmartBalanceSession, 'network' | 'contract'>,
  version: EntryPointOptions['entryPoint'],
) {
  const entryPoint = version === 'v0.8' ? entryPointV08 : network.config.entryPoint
  const { address, isDeployed } = await readPaymaster(network, entryPoint, contract.address)
  if (isDeployed) return { address, abi: tokenPaymasterAbi }
  throw new CliError(
    'NOT_DEPLOYED',
    `There is no TokenPaymaster for EntryPoint ${version}: run \`lanyard token-fees deploy --network ${network.chainId}\`.`,
  )
}

const readPaymasters = ({ network, contract }: Pick<SmartBalanceSession, 'network' | 'contract'>) =>
  Promise.all(
    entryPointsOf(network.config).map((entryPoint) => readPaymaster(network, entryPoint, contract.address)),
  )

async function readPaymaster(network: Network, entryPoint: Address, smartBalance: Address) {
  const address = predictTokenPaymasterAddress({ entryPoint, smartBalance })
  const [code, gasDeposit, tokens] = await network.call((client) =>
    Promise.all([
      client.getCode({ address }),
      client.readContract({
        address: entryPoint,
        abi: entryPointAbi,
        functionName: 'balanceOf',
        args: [address],
      }),
      Promise.all(
        network.feeTokens.map(async ({ address: token, symbol, decimals }) => ({
          ...{ token, symbol, decimals },
          amount: await client.readContract({
            address: token,
            abi: erc20Abi,
            functionName: 'balanceOf',
            args: [address],
          }),
        })),
      ),
    ]),
  )
  const version = isAddressEqual(entryPoint, entryPointV08) ? 'v0.8' : 'v0.7'
  return { address, entryPoint, version, isDeployed: code !== undefined, gasDeposit, tokens } as const
}
