import { attestorSetAbi } from '@lanyard/onchain'
import { encodeFunctionData } from 'viem'
import { CliError } from '../cli-error.ts'
import { CommandEnd, exitCodes } from '../exit-codes.ts'
import type { SendOptions } from '../options.ts'
import { lapsesAt, type RoleSetting, readRoleSetting } from '../roles/read-roles.ts'
import type { OwnerCall } from '../send-as-owner.ts'
import { openAsOwner } from '../smart-balance-session.ts'
import { formatTime } from '../times.ts'

/** As parsed from the command line. */
export interface ThresholdOptions extends SendOptions {
  readonly count: number
}

/** `lanyard roles threshold`: raising is immediate, lowering takes two runs, 14 to 21 days apart. */
export async function setThreshold(options: ThresholdOptions): Promise<void> {
  const { count, dryRun } = options
  const session = await openAsOwner(options)
  const before = await readRoleSetting(session)
  if (count >= before.attestorCount) {
    throw new CliError(
      'TOO_FEW_ATTESTORS',
      `There are ${before.attestorCount} attestors: at most ${before.attestorCount - 1} can be asked for, so that one can be lost.`,
    )
  }
  const call = nextCall(before, count)
  const sent = await session.send(call ? [call] : [])
  const after = dryRun ? before : await readRoleSetting(session)
  const left = leftToSet(after, count)
  if (left !== undefined) session.output.say(`Left to do: ${left}`)
  else if (!call) session.output.say(`Nothing to do: ${count} must agree already.`)
  session.finish({ threshold: after.threshold, pendingThreshold: after.pendingThreshold, sent, left })
  if (left !== undefined && !dryRun) throw new CommandEnd(exitCodes.unfinished)
}

function nextCall(
  { verifier, threshold, pendingThreshold, now }: RoleSetting,
  count: number,
): OwnerCall | undefined {
  const call = (description: string, data: OwnerCall['data']) => ({ description, to: verifier, data })
  const abi = attestorSetAbi
  if (count > threshold) {
    const data = encodeFunctionData({ abi, functionName: 'raiseThreshold', args: [BigInt(count)] })
    return call(`raise the threshold to ${count}`, data)
  }
  if (count === threshold) return undefined
  if (pendingThreshold?.threshold !== count) {
    const data = encodeFunctionData({ abi, functionName: 'proposeThreshold', args: [BigInt(count)] })
    return call(`propose a threshold of ${count}`, data)
  }
  if (pendingThreshold.readyAt > now) return undefined
  return call(`lower the threshold to ${count}`, encodeFunctionData({ abi, functionName: 'applyThreshold' }))
}

function leftToSet({ threshold, pendingThreshold, now }: RoleSetting, count: number): string | undefined {
  if (threshold === count) return undefined
  if (pendingThreshold?.threshold !== count) return `the threshold is ${threshold}.`
  return pendingThreshold.readyAt > now
    ? `it can be lowered to ${count} from ${formatTime(pendingThreshold.readyAt)} until ${formatTime(lapsesAt(pendingThreshold.readyAt))}: run this again then.`
    : `it can be lowered to ${count} now: run this again.`
}
