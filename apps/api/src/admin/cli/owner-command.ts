import { smartBalanceAbi } from '@lanyard/onchain'
import type { Command } from 'commander'
import { type ContractFunctionArgs, type ContractFunctionName, encodeFunctionData } from 'viem'
import { type Manual, ofOwner, withManual } from './manual.ts'
import { type NetworkOptions, type SendOptions, withNetwork, withSending } from './options.ts'
import type { OwnerRole } from './owner.ts'
import type { OwnerCall } from './send-as-owner.ts'
import {
  type OwnerSession,
  openAsOwner,
  openSmartBalance,
  type SmartBalanceSession,
} from './smart-balance-session.ts'

type Write = 'nonpayable' | 'payable'
type FunctionName = ContractFunctionName<typeof smartBalanceAbi, Write>

/** What a call does, the function of SmartBalance that it calls, and what it sends along. */
interface Call<Name extends FunctionName> {
  readonly description: string
  readonly functionName: Name
  readonly args?: ContractFunctionArgs<typeof smartBalanceAbi, Write, Name>
  /** wei */
  readonly value?: bigint
}

/** A call to SmartBalance. */
export function smartBalanceCall<const Name extends FunctionName>(
  { contract }: Pick<OwnerSession, 'contract'>,
  { description, value, ...call }: Call<Name>,
): OwnerCall {
  const data = encodeFunctionData({ abi: smartBalanceAbi, ...call } as Parameters<
    typeof encodeFunctionData
  >[0])
  return { description, to: contract.address, data, ...(value !== undefined && { value }) }
}

/** What a command sends, and what it ends with. */
interface Act {
  /** Absent: everything is so already. */
  readonly call?: OwnerCall | undefined
  /** Runs after the call was sent. */
  readonly result: (output: OwnerSession['output']) => object | Promise<object>
}

interface OwnerCommand<Options> extends Omit<Manual, 'environment'>, Partial<Pick<Manual, 'environment'>> {
  /** Default: the owner. */
  readonly caller?: OwnerRole
  readonly act: (session: OwnerSession, options: Options) => Act | Promise<Act>
}

/** Makes a command that sends one call at most, or shows it, or proposes it to a multisig. */
export function withCall<Options extends SendOptions>(
  command: Command,
  { caller = 'owner', act, ...manual }: OwnerCommand<Options>,
): Command {
  withManual(withSending(command), { environment: ofOwner, opensKeys: true, ...manual })
  return command.action(async (options: Options) => {
    const session = await openAsOwner(options, { caller })
    const { call, result } = await act(session, options)
    const sent = await session.send(call ? [call] : [])
    session.finish({ ...(await result(session.output)), sent })
  })
}

/** Makes a command that shows what `read` returns, line by line or as JSON. */
export function withStatus(
  command: Command,
  manual: Manual,
  read: (session: SmartBalanceSession) => Promise<{ lines: readonly string[]; result: object }>,
): Command {
  return withManual(withNetwork(command), manual).action(async (options: NetworkOptions) => {
    const session = await openSmartBalance(options)
    const { network, contract, output } = session
    const { lines, result } = await read(session)
    for (const line of lines) output.say(line)
    output.finish({ network: network.chainId, smartBalance: contract.address, ...result })
  })
}
