import { pauseBudget } from '@lanyard/smart-balance'
import { type Command, InvalidArgumentError } from 'commander'
import type { SendOptions } from '../options.ts'
import { callOf, reach, withCall } from '../owner-command.ts'
import type { OwnerSession } from '../smart-balance-session.ts'

/** As parsed from the command line. */
interface PauseOptions extends SendOptions {
  /** Hours; absent: pause new orders. */
  readonly settlement?: number
}

/** `lanyard pause`: stops new orders on a network, or settlement for some hours. */
export function addPause(group: Command): void {
  withCall<PauseOptions>(group, {
    about: `
The pauser's key in DEPLOYER_PRIVATE_KEY also works. Settlement can be paused for at most 36 hours in any 14 days. A pause
cannot be ended early: begin with a few hours, and run the command again to extend it. Exits always continue.`,
    examples: ['pause --network 8453 --yes', 'pause --network 8453 --settlement 12 --yes'],
    caller: 'pauser',
    act: (session, { settlement }) =>
      settlement === undefined ? setPaused(session, true) : pauseSettlement(session, settlement),
  }).option(
    '--settlement <hours>',
    'pause settlement instead, for 1 to 36 hours: when attestors or settlers are stolen',
    parseHours,
  )
}

function parseHours(text: string): number {
  const hours = Number(text)
  if (Number.isInteger(hours) && hours >= 1 && hours <= pauseBudget / 3_600) return hours
  throw new InvalidArgumentError(`Expected 1 to ${pauseBudget / 3_600} hours.`)
}

/** `lanyard resume`: the opposite of `lanyard pause`. */
export function addResume(group: Command): void {
  withCall(group, { examples: ['resume --network 8453'], act: (session) => setPaused(session, false) })
}

/**
 * Stops or allows new orders on one network; deposits, withdrawals, exits and settlement continue either way.
 */
const setPaused = ({ network, contract }: OwnerSession, wanted: boolean) =>
  reach({
    read: () => network.call((client) => client.readContract({ ...contract, functionName: 'paused' })),
    calls: (paused) =>
      paused === wanted
        ? []
        : [callOf(contract, wanted ? 'pause new orders' : 'allow new orders', 'setPaused', [wanted])],
    end: (_paused, sent) => sent.length === 0 && `New orders are already ${wanted ? 'paused' : 'allowed'}.`,
    result: (paused) => ({ paused }),
  })

/** Stops settlement from now, or from the end of the current pause. */
const pauseSettlement = ({ network, contract }: OwnerSession, hours: number) =>
  reach({
    read: () =>
      network.call((client) => client.readContract({ ...contract, functionName: 'settlementPausedUntil' })),
    calls: () => [callOf(contract, `pause settlement for ${hours} hours`, 'pauseSettlement', [hours])],
    result: (settlementPausedUntil) => ({ settlementPausedUntil }),
  })
