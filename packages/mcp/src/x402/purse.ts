import { type Address, createPublicClient, erc20Abi, http, type LocalAccount, parseAbi } from 'viem'
import type { Agent } from '../agent/agent.ts'
import { AgentError } from '../agent/agent-error.ts'
import { type PaymentOutcome, pay } from '../agent/pay.ts'
import type { PaymentRecord } from '../agent/payment-records.ts'
import type { PurseSettings } from '../agent/settings.ts'
import { type AgentNetwork, type Currency, showAmount, toBaseUnits } from '../agent/tokens.ts'

/** A token with an address, as x402 pays it. */
export type Token = Currency & { readonly address: Address }

/**
 * A small EOA of the agent that signs EIP-3009 payments. The session fills it up to its ceiling, and what it has signed
 * and sellers can still collect counts against the ceiling too. So a thief of the purse, or a seller who never delivers,
 * gets at most that, and what the session's own limits let flow to it later.
 */
export interface Purse {
  readonly account: LocalAccount
  readonly settings: PurseSettings
}

/** `authorizationState` of EIP-3009: whether the token has accepted the authorization. */
const eip3009 = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
])

export interface PurseState {
  /** What it holds, in base units. */
  readonly balance: bigint
  /** Payments that it has signed and that sellers can still collect. */
  readonly outstanding: readonly OutstandingPayment[]
}

export interface OutstandingPayment {
  readonly reference: string
  readonly amount: bigint
  /** Seconds since 1970. Afterwards the token refuses it. */
  readonly validBefore: number
}

export const sumOf = (payments: readonly OutstandingPayment[]): bigint =>
  payments.reduce((sum, { amount }) => sum + amount, 0n)

/**
 * What the purse holds and owes, at the newest block. Its time decides what has expired, as it does for the token.
 *
 * @throws AgentError if the network's RPC is unknown or does not answer
 */
export async function readPurse(
  agent: Agent,
  { account }: Purse,
  network: AgentNetwork,
  token: Token,
): Promise<PurseState> {
  // Read before the chain: what is collected meanwhile then counts twice instead of never.
  const records = (await agent.records.list()).filter((record) => isSignedFor(record, network, token))
  const client = connect(network)
  try {
    const { number: blockNumber, timestamp } = await client.getBlock()
    const of = { address: token.address, blockNumber } as const
    const balance = client.readContract({
      ...{ ...of, abi: erc20Abi, functionName: 'balanceOf', args: [account.address] },
    })
    const outstanding = records.map(async ({ reference, request, authorization }) => {
      if (!authorization || BigInt(authorization.validBefore) <= timestamp) return []
      const isCollected = await client.readContract({
        ...{ ...of, abi: eip3009, functionName: 'authorizationState' },
        args: [account.address, authorization.nonce],
      })
      const { validBefore } = authorization
      return isCollected ? [] : [{ reference, amount: BigInt(request.amount), validBefore }]
    })
    return { balance: await balance, outstanding: (await Promise.all(outstanding)).flat() }
  } catch (cause) {
    throw new AgentError(`${network.name} does not answer at the moment. Nothing was paid.`, { cause })
  }
}

/**
 * Whether a payment of the purse can never be collected any more: a final block is past its time, and the token did not
 * accept it.
 *
 * @throws AgentError as {@link readPurse}
 */
export async function hasLapsed(
  { account }: Purse,
  network: AgentNetwork,
  token: Token,
  { authorization }: PaymentRecord,
): Promise<boolean> {
  if (!authorization) return false
  const client = connect(network)
  try {
    const { number: blockNumber, timestamp } = await client.getBlock({ blockTag: 'finalized' })
    if (BigInt(authorization.validBefore) > timestamp) return false
    return !(await client.readContract({
      ...{ address: token.address, blockNumber, abi: eip3009, functionName: 'authorizationState' },
      args: [account.address, authorization.nonce],
    }))
  } catch (cause) {
    throw new AgentError(`${network.name} does not answer at the moment. Nothing was paid.`, { cause })
  }
}

/** What was set aside was never sent, or has expired. */
const isSignedFor = (record: PaymentRecord, network: AgentNetwork, token: Token) => {
  const { request, authorization, outcome } = record
  return (
    authorization !== undefined &&
    outcome !== 'dropped' &&
    request.network === network.network &&
    request.token?.toLowerCase() === token.address.toLowerCase()
  )
}

function connect(network: AgentNetwork) {
  if (network.rpcUrl !== undefined) return createPublicClient({ transport: http(network.rpcUrl) })
  throw new AgentError(
    `The service publishes no RPC for ${network.name}, so the purse cannot be read. The operator can set publicRpcUrl.`,
  )
}

/**
 * Fills the purse to its ceiling if what it holds, less what sellers can still collect, is less than `needed`; if the
 * session leaves less than that, only with what is missing.
 *
 * @returns the outcome of the refill, or undefined if none was needed
 * @throws AgentError if `needed`, with what sellers can still collect, is above the ceiling
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
  const { balance, outstanding } = await readPurse(agent, purse, network, token)
  const owed = sumOf(outstanding)
  if (needed + owed > ceiling) {
    const until = new Date(Math.min(...outstanding.map(({ validBefore }) => validBefore)) * 1000)
    throw new AgentError(
      `The purse has signed payments of ${showAmount(owed, token)} that their sellers can still collect, and may spend ${showAmount(ceiling, token)} at most. Nothing was paid. Try again with the same reference after ${until.toISOString()}.`,
    )
  }
  if (balance >= needed + owed) return undefined
  const [full, missing] = [ceiling - balance, needed + owed - balance]
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
