import { pauseBudget } from '@lanyard/smart-balance'
import { type Address, ContractFunctionExecutionError, parseAbi } from 'viem'
import { type Finding, finding } from '../finding.ts'
import type { Subject } from '../subject.ts'

/** OpenZeppelin's TimelockController. */
const timelockAbi = parseAbi(['function getMinDelay() view returns (uint256)'])

/** The maximum delay that leaves the owner half a day of a pause to act in, seconds. */
const maxDelay = 86_400n

/**
 * Whether stolen attestors and settlers can be stopped: the pauser stops settlement for at most 36 hours, in
 * which the owner must replace them.
 */
export async function checkStopping(
  { network }: Subject,
  { owner, settlementPausedUntil }: { readonly owner: Address; readonly settlementPausedUntil: number },
): Promise<Finding[]> {
  const { chainId } = network.config
  const [delay, { timestamp }] = await network.call((client) =>
    Promise.all([
      client
        .readContract({ address: owner, abi: timelockAbi, functionName: 'getMinDelay' })
        .catch((error) => {
          if (error instanceof ContractFunctionExecutionError) return 0n // not a timelock
          throw error
        }),
      client.getBlock(),
    ]),
  )
  const findings: Finding[] = []
  if (delay > maxDelay) {
    findings.push(
      finding('TIMELOCK_TOO_LONG', {
        message: `The owner of SmartBalance acts after ${delay} seconds, but stolen attestors can be paused for only ${pauseBudget}.`,
        expected: `a timelock of at most ${maxDelay} seconds (24 hours)`,
        seen: `${owner} with ${delay} seconds`,
        fix: 'Shorten its delay (updateDelay).',
      }),
    )
  }
  if (timestamp < BigInt(settlementPausedUntil)) {
    findings.push(
      finding('SETTLEMENT_PAUSED', {
        message: 'Settlement is paused: no debit is collected.',
        expected: 'settlement to continue',
        seen: `paused until ${new Date(settlementPausedUntil * 1000).toISOString()}`,
        fix: `If none of your people paused it, name another pauser: \`lanyard pauser set --network ${chainId} --address <address>\`.`,
      }),
    )
  }
  return findings
}
