import { entryPointAbi, smartBalanceAbi } from '@lanyard/onchain'
import { type Address, formatEther, formatUnits } from 'viem'
import { readHourlyGas } from '../../../domain/smart-balance/settlement/top-up.ts'
import { type Finding, finding } from '../finding.ts'
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
): Promise<Finding[]> {
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
  const findings: Finding[] = []
  if (paused) {
    findings.push(
      finding('PAUSED', {
        message: 'New orders are paused.',
        fix: `\`lanyard resume --network ${chainId}\``,
      }),
    )
  }
  if (outflowCap === 0n) {
    findings.push(
      finding('OUTFLOW_CAP_ZERO', {
        message: 'Nothing can be lent: the hourly cap is 0.',
        fix: `\`lanyard deploy --network ${chainId} --outflow-cap <tokens>\` sets it.`,
      }),
    )
  }
  if (liquidity < liquidityWarning * 10n ** BigInt(unitDecimals)) {
    findings.push(
      finding('LIQUIDITY_LOW', {
        message: 'Little or nothing is left to lend.',
        expected: `${liquidityWarning} tokens (LIQUIDITY_WARNING)`,
        seen: `${formatUnits(liquidity, unitDecimals)} tokens`,
        fix: `\`lanyard liquidity fund --network ${chainId} --amount <tokens>\``,
      }),
    )
  }
  const wanted = ordersAhead * orderGas * maxFeePerGas
  if (staked.deposit < wanted) {
    const isEmpty = staked.deposit < orderGas * maxFeePerGas
    findings.push(
      finding(isEmpty ? 'GAS_DEPOSIT_EMPTY' : 'GAS_DEPOSIT_LOW', {
        message: isEmpty
          ? 'SmartBalance cannot pay for an operation: its deposit in EntryPoint is used up.'
          : 'The deposit from which SmartBalance pays for gas is low.',
        expected: `${formatEther(wanted)} ${nativeCurrency.symbol}, for ${ordersAhead} orders`,
        seen: `${formatEther(staked.deposit)} ${nativeCurrency.symbol}`,
        fix: `\`lanyard gas-deposit add --network ${chainId} --amount <${nativeCurrency.symbol}>\``,
      }),
    )
  }
  const hour = topUpPerHour === undefined ? undefined : await hourlyGas(network, topUpPerHour)
  // Twice the target: the price may have changed since the deposit was filled.
  if (hour !== undefined && staked.deposit > 2n * hour) {
    findings.push(
      finding('GAS_DEPOSIT_HIGH', {
        message:
          'A thief of the operator key can take the whole gas deposit, so it should hold only what an hour needs.',
        expected: `${formatEther(hour)} ${nativeCurrency.symbol} (TOP_UP_PER_HOUR)`,
        seen: `${formatEther(staked.deposit)} ${nativeCurrency.symbol}`,
        fix: `\`lanyard gas-deposit withdraw --network ${chainId} --amount <${nativeCurrency.symbol}>\`, or a higher TOP_UP_PER_HOUR.`,
      }),
    )
  }
  if (!staked.staked) {
    const needed = bundler.kind === 'remote' ? 'the bundler refuses' : 'other bundlers refuse'
    findings.push(
      finding('STAKE_MISSING', {
        message: `SmartBalance has no locked stake in EntryPoint: ${needed} operations that it pays for (ERC-7562).`,
        expected: 'a stake, locked for at least a day',
        seen:
          staked.stake === 0n ? 'none' : `${formatEther(staked.stake)} ${nativeCurrency.symbol}, unlocked`,
        fix: `\`lanyard stake add --network ${chainId} --amount ${staked.stake === 0n ? `<${nativeCurrency.symbol}>` : '0'}\``,
      }),
    )
  }
  return findings
}

/** wei; undefined when the price is unknown, which is a separate finding. */
const hourlyGas = (network: Subject['network'], tokens: bigint): Promise<bigint | undefined> =>
  readHourlyGas(network, tokens).catch(() => undefined)
