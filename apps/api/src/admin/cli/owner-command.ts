import type { Command } from 'commander'
import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
} from 'viem'
import { CommandEnd, exitCodes } from './exit-codes.ts'
import { type Manual, ofOwner, withManual } from './manual.ts'
import { type NetworkOptions, type SendOptions, withNetwork, withSending } from './options.ts'
import type { OwnerRole } from './owner.ts'
import type { OwnerCall } from './safe-batch.ts'
import type { SentCall } from './send-as-owner.ts'
import {
  type OwnerSession,
  openAsOwner,
  openSmartBalance,
  type SmartBalanceSession,
} from './smart-balance-session.ts'

type Write = 'nonpayable' | 'payable'

/** A call of a contract's function, described for people. */
export function callOf<const A extends Abi, Name extends ContractFunctionName<A, Write>>(
  contract: { readonly address: Address; readonly abi: A },
  description: string,
  functionName: Name,
  args?: ContractFunctionArgs<A, Write, Name>,
  /** wei */
  value?: bigint,
): OwnerCall {
  const call = { abi: contract.abi, functionName, args } as unknown as EncodeFunctionDataParameters // typed above
  return {
    description,
    to: contract.address,
    data: encodeFunctionData(call),
    ...(value !== undefined && { value }),
  }
}

/** What a command makes so on the chain, as far as it can be done now. */
interface Goal<State> {
  /** What the rest depends on. It is read again once calls were sent. */
  readonly read: () => Promise<State>
  /** The calls that can be sent now. None: everything is so already, or has to wait. */
  readonly calls: (state: State) => readonly OwnerCall[]
  /** Calls that depend on the first ones. */
  readonly laterCalls?: (state: State) => readonly OwnerCall[]
  /** What a later run has to do. */
  readonly left?: (state: State) => string | readonly string[] | undefined
  /** The last line, if nothing is left to do. */
  readonly end?: (state: State, sent: readonly SentCall[]) => string | false | undefined
  readonly result: (state: State) => object
}

type Run = (session: OwnerSession, options: SendOptions) => Promise<void>

/** Sends what a goal needs, or shows it, or proposes it to a multisig; and says what is left. */
export const reach =
  <State>({ read, calls, laterCalls, left: leftIn, end, result }: Goal<State>): Run =>
  async ({ send, output, finish }, { dryRun = false }) => {
    let state = await read()
    const sent: SentCall[] = []
    for (const next of [calls, ...(laterCalls ? [laterCalls] : [])]) {
      const wanted = next(state)
      sent.push(...(await send(wanted)))
      if (wanted.length > 0 && !dryRun) state = await read()
    }
    const left = leftIn?.(state)
    const lines = [left ?? []].flat()
    for (const line of lines) output.say(`Left to do: ${line}`)
    const last = lines.length === 0 && end?.(state, sent)
    if (last) output.say(last)
    finish({ ...result(state), sent, ...(leftIn && { left }) })
    if (lines.length > 0 && !dryRun) throw new CommandEnd(exitCodes.unfinished)
  }

/** Sends one call, whatever the state of the chain. */
export const sendOne = (call: OwnerCall, result: object): Run =>
  reach({ read: async () => undefined, calls: () => [call], result: () => result })

interface OwnerCommand<Options> extends Omit<Manual, 'environment'>, Partial<Pick<Manual, 'environment'>> {
  /** Default: the owner. */
  readonly caller?: OwnerRole | ((options: Options) => OwnerRole)
  /** Rejects options before anything is opened. */
  readonly check?: (options: Options) => void
  readonly act: (session: OwnerSession, options: Options) => Run | Promise<Run>
}

/** Makes a command that sends calls as the owner, or shows them, or proposes them to a multisig. */
export function withCall<Options extends SendOptions>(
  command: Command,
  { caller = 'owner', check, act, ...manual }: OwnerCommand<Options>,
): Command {
  withManual(withSending(command), { environment: ofOwner, opensKeys: true, ...manual })
  return command.action(async (options: Options) => {
    check?.(options)
    const session = await openAsOwner(options, {
      caller: typeof caller === 'function' ? caller(options) : caller,
    })
    const run = await act(session, options)
    await run(session, options)
  })
}

/** Makes a command that shows what `read` returns, line by line or as JSON. */
export function withStatus<Options extends NetworkOptions>(
  command: Command,
  manual: Manual,
  read: (
    session: SmartBalanceSession,
    options: Options,
  ) => Promise<{ lines: readonly string[]; result: object }>,
): Command {
  return withManual(withNetwork(command), manual).action(async (options: Options) => {
    const session = await openSmartBalance(options)
    const { network, contract, output } = session
    const { lines, result } = await read(session, options)
    for (const line of lines) output.say(line)
    output.finish({ network: network.chainId, smartBalance: contract.address, ...result })
  })
}
