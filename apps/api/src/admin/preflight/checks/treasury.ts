import { entryPointAbi, smartBalanceAbi } from '@lanyard/onchain'
import { type Address, formatEther, formatUnits } from 'viem'
import { readHourlyGas } from '../../../domain/smart-balance/settlement/top-up.ts'
import { type Findings, findingIf } from '../finding.ts'
import type { Subject } from '../subject.ts'

/** Decimals of all amounts of the smart balance. */
const unitDecimals = 6

/**
 * Gas of an operation with an order, and the number of orders that a deposit should pay for before it counts
 * as low.
 */
const orderGas = 1_000_000n
const ordersAhead = 50n

/** The funds from which SmartBalance lends and pays gas. */
export async function checkTreasury(
  { network, liquidityWarning, topUpPerHour, node }: Subject,
  address: Address,
): Promise<Findings> {
  const { chainId, entryPoint, bundler, nativeCurrency } = network.config
  const contract = { address, abi: smartBalanceAbi } as const
  const [[paused, liquidity, [outflowCap], staked], { maxFeePerGas }] = await Promise.all([
    network.call((client) =>
      Promise.all([
        client.readContract({ ...contract, functionName: 'paused' }),
        client.readContract({ ...contract, functionName: 'liquidity' }),
        client.readContract({ ...contract, functionName: 'outflow' }),
        client.readContract({
          address: entryPoint,
          abi: entryPointAbi,
          functionName: 'getDepositInfo',
          args: [address],
        }),
      ]),
    ),
    node.fees ? network.fees() : { maxFeePerGas: 0n },
  ])
  const inCoins = (amount: bigint) => `${formatEther(amount)} ${nativeCurrency.symbol}`
  const wanted = ordersAhead * orderGas * maxFeePerGas
  const isEmpty = staked.deposit < orderGas * maxFeePerGas
  const hour = topUpPerHour === undefined ? undefined : await hourlyGas(network, topUpPerHour)
  const needed = bundler.kind === 'remote' ? 'the bundler refuses' : 'other bundlers refuse'
  return [
    ...findingIf(paused, 'PAUSED', {
      message: 'New orders are paused.',
      fix: `\`lanyard resume --network ${chainId}\``,
    }),
    ...findingIf(outflowCap === 0n, 'OUTFLOW_CAP_ZERO', {
      message: 'Nothing can be lent: the hourly cap is 0.',
      fix: `\`lanyard deploy --network ${chainId} --outflow-cap <tokens>\` sets it.`,
    }),
    ...findingIf(liquidity < liquidityWarning * 10n ** BigInt(unitDecimals), 'LIQUIDITY_LOW', {
      message: 'Little or nothing is left to lend.',
      expected: `${liquidityWarning} tokens (LIQUIDITY_WARNING)`,
      seen: `${formatUnits(liquidity, unitDecimals)} tokens`,
      fix: `\`lanyard liquidity fund --network ${chainId} --amount <tokens>\``,
    }),
    ...findingIf(staked.deposit < wanted, isEmpty ? 'GAS_DEPOSIT_EMPTY' : 'GAS_DEPOSIT_LOW', {
      message: isEmpty
        ? 'SmartBalance cannot pay for an operation: its deposit in EntryPoint is used up.'
        : 'The deposit from which SmartBalance pays for gas is low.',
      expected: `${inCoins(wanted)}, for ${ordersAhead} orders`,
      seen: inCoins(staked.deposit),
      fix: `\`lanyard gas-deposit add --network ${chainId} --amount <${nativeCurrency.symbol}>\``,
    }),
    // Twice the target: the price may have changed since the deposit was filled.
    ...findingIf(hour !== undefined && staked.deposit > 2n * hour, 'GAS_DEPOSIT_HIGH', {
      message:
        'A thief of the operator key can take the whole gas deposit, so it should hold only what an hour needs.',
      expected: `${inCoins(hour ?? 0n)} (TOP_UP_PER_HOUR)`,
      seen: inCoins(staked.deposit),
      fix: `\`lanyard gas-deposit withdraw --network ${chainId} --amount <${nativeCurrency.symbol}>\`, or a higher TOP_UP_PER_HOUR.`,
    }),
    ...findingIf(!staked.staked, 'STAKE_MISSING', {
      message: `SmartBalance has no locked stake in EntryPoint: ${needed} operations that it pays for (ERC-7562).`,
      expected: 'a stake, locked for at least a day',
      seen: staked.stake === 0n ? 'none' : `${inCoins(staked.stake)}, unlocked`,
      fix: `\`lanyard stake add --network ${chainId} --amount ${staked.stake === 0n ? `<${nativeCurrency.symbol}>` : '0'}\``,
    }),
  ]
}

/** wei; undefined when the price is unknown, which is a separate finding. */
const hourlyGas = (network: Subject['network'], tokens: bigint): Promise<bigint | undefined> =>
  readHourlyGas(network, tokens).catch(() => undefined)
