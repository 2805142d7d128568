import { type Address, createPublicClient, erc20Abi, http, type LocalAccount } from 'viem'
import type { Agent } from '../agent/agent.ts'
import { AgentError } from '../agent/agent-error.ts'
import { type PaymentOutcome, pay } from '../agent/pay.ts'
import type { PurseSettings } from '../agent/settings.ts'
import { type AgentNetwork, type Currency, showAmount, toBaseUnits } from '../agent/tokens.ts'

/** A token with an address, as x402 pays it. */
export type Token = Currency & { readonly address: Address }

/**
 * A small EOA of the agent that signs EIP-3009 payments. The session fills it up to its ceiling, so a thief of
 * the purse gets at most that, and what the session's own limits let flow to it later.
 */
export interface Purse {
  readonly account: LocalAccount
  readonly settings: PurseSettings
}

/** @throws AgentError if the network's RPC is unknown or does not answer */
export async function balanceOfPurse(
  { account }: Purse,
  network: AgentNetwork,
  token: Token,
): Promise<bigint> {
  if (network.rpcUrl === undefined) {
    throw new AgentError(
      `The service publishes no RPC for ${network.name}, so the purse cannot be read. The operator can set publicRpcUrl.`,
    )
  }
  const client = createPublicClient({ transport: http(network.rpcUrl) })
  try {
    return await client.readContract({
      ...{ address: token.address, abi: erc20Abi, functionName: 'balanceOf', args: [account.address] },
    })
  } catch (cause) {
    throw new AgentError(`${network.name} does not answer at the moment. Nothing was paid.`, { cause })
  }
}

/**
 * Fills the purse to its ceiling if it holds less than `needed`; if the session leaves less than that, only
 * with what is missing.
 *
 * @returns the outcome of the refill, or undefined if none was needed
 * @throws AgentError if `needed` is above the ceiling
 */
export async function fillPurse(
  agent: Agent,
  purse: Purse,
  {
    network,
    token,
    needed,
    reference,
    left,
  }: {
    readonly network: AgentNetwork
    readonly token: Token
    readonly needed: bigint
    readonly reference: string
    /** What the session leaves. */
    readonly left: bigint
  },
): Promise<PaymentOutcome | undefined> {
  const ceiling = toBaseUnits(purse.settings.ceiling, token)
  if (needed > ceiling) {
    throw new AgentError(
      `It costs ${showAmount(needed, token)}, and the purse may hold ${showAmount(ceiling, token)} at most. The person who runs the agent can raise purse.ceiling.`,
    )
  }
  const balance = await balanceOfPurse(purse, network, token)
  if (balance >= needed) return undefined
  const [full, missing] = [ceiling - balance, needed - balance]
  // With less than what is missing, nothing can be paid now. If the owner grants more meanwhile, the purse becomes full.
  const amount = missing <= left && left < full ? missing : full
  const refill = await unfinishedRefill(agent, reference)
  return pay(agent, {
    ...{ reference: refill.reference, network, currency: token, amount: refill.amount ?? amount },
    to: { name: 'the purse', address: purse.account.address },
  })
}

/**
 * The refill of a purchase that is to be sent, or sent again. A refill that is over left the purse too empty: what
 * it brought was spent since, or it brought nothing. So another one follows.
 *
 * @returns the amount too, if the refill was signed before
 */
async function unfinishedRefill(
  { records }: Agent,
  purchase: string,
): Promise<{ readonly reference: string; readonly amount?: bigint }> {
  for (let turn = 1; ; turn++) {
    const reference = turn === 1 ? `${purchase} (purse)` : `${purchase} (purse, refill ${turn})`
    const earlier = await records.find(reference)
    if (!earlier) return { reference }
    if (earlier.outcome === undefined) return { reference, amount: BigInt(earlier.request.amount) }
  }
}
