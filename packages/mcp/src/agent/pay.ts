import { LanyardApiError, signSessionBuild, verifySessionBuild } from '@lanyard/client'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { Agent } from './agent.ts'
import { AgentError } from './agent-error.ts'
import { isSamePayment, type PaymentRecord, type PaymentRequest } from './payment-records.ts'
import { isAllowed, type Recipient, showRecipient } from './recipients.ts'
import { readSessions, type Session } from './sessions.ts'
import { type AgentNetwork, type Currency, showAmount } from './tokens.ts'

export interface Payment {
  /** Names the payment. The same reference never pays twice. */
  readonly reference: string
  readonly network: AgentNetwork
  readonly currency: Currency
  /** Base units. */
  readonly amount: bigint
  readonly to: Recipient
}

export type PaymentOutcome =
  | { readonly status: 'paid'; readonly userOpHash: Hex; readonly txnHash: Hex }
  /** Sent, and its end is not known yet. */
  | { readonly status: 'pending'; readonly userOpHash: Hex; readonly why?: string }
  /** Its call reverted, in a block that stays: nothing was transferred, and nothing can be. */
  | { readonly status: 'failed'; readonly userOpHash: Hex; readonly txnHash: Hex; readonly why: string }
  /** The service did not take what was signed. It may take it later, so the reference keeps naming this payment. */
  | { readonly status: 'refused'; readonly userOpHash: Hex; readonly code: string; readonly why: string }
  /** The session does not allow it. Nothing was sent. */
  | { readonly status: 'needs_owner'; readonly why: string; readonly session: Session | undefined }

/**
 * Pays from the account with the session key. A reference that was sent before is not sent again: its outcome
 * is read, or the same signature is submitted once more.
 *
 * @throws AgentError if the reference names another payment
 * @throws LanyardApiError if the service refuses to build it for another reason than the session's limits
 */
export async function pay(agent: Agent, payment: Payment): Promise<PaymentOutcome> {
  const request = requestOf(payment)
  const earlier = await agent.records.find(payment.reference)
  if (earlier) {
    if (!isSamePayment(earlier.request, request)) throw otherPayment(payment.reference)
    const outcome = await resume(agent, earlier)
    if (outcome) return outcome
  }

  const { account, contacts } = agent.settings
  const { network, currency, to } = payment
  const { sessions } = await readSessions(agent.lanyard, {
    ...{ account, key: agent.signer.key, network: network.network },
  })
  const [session] = sessions
  const rejected = whyRejected(session, payment, contacts)
  if (rejected !== undefined || !session)
    return { status: 'needs_owner', why: rejected ?? noSession, session }

  const signed = await sign(agent, payment, session)
  if (!signed.ok) return { status: 'needs_owner', why: signed.why, session }
  const record = {
    ...{ reference: payment.reference, request, operation: signed.operation, at: new Date().toISOString() },
  }
  if (await agent.records.create(record)) return submit(agent, record)
  // Another process was faster with this reference. Its signature counts, and this one is forgotten.
  const other = await agent.records.find(payment.reference)
  if (!other || !isSamePayment(other.request, request)) throw otherPayment(payment.reference)
  const outcome = await resume(agent, other)
  if (outcome) return outcome
  throw new AgentError(
    `The payment of ${showAmount(payment.amount, currency)} to ${showRecipient(to)} was dropped. Send it again with the same reference.`,
  )
}

const noSession = 'The owner has not yet allowed this agent to pay on this network.'

const otherPayment = (reference: string) =>
  new AgentError(`The reference ${JSON.stringify(reference)} already names another payment. Use a new one.`)

const requestOf = ({ network, currency, amount, to }: Payment): PaymentRequest => ({
  network: network.network,
  to: to.address,
  ...(currency.address && { token: currency.address }),
  amount: String(amount),
})

/** Why a session does not allow a payment, as far as the agent can see. The chain checks all of it again. */
export function whyRejected(
  session: Session | undefined,
  { currency, amount, to }: Payment,
  contacts: Agent['settings']['contacts'],
): string | undefined {
  if (!session) return noSession
  if (session.state === 'expired') return 'The session has expired.'
  if (session.operationsLeft === 0) return 'The session has no operations left.'
  const token = currency.address
  const allowance = session.allowances.find((one) => one.token?.toLowerCase() === token?.toLowerCase())
  if (!allowance) return `The owner has not allowed payments in ${currency.symbol}.`
  if (BigInt(allowance.left) < amount) {
    return `It is more than what is left: ${showAmount(BigInt(allowance.left), currency)}.`
  }
  if (!isAllowed(to, { session, token, contacts })) return `The owner has not allowed ${showRecipient(to)}.`
  return undefined
}

type Signed =
  | { readonly ok: true; readonly operation: NonNullable<PaymentRecord['operation']> }
  | { readonly ok: false; readonly why: string }

/** Builds the operation, verifies all of it, and signs it. */
async function sign(
  { lanyard, settings, signer }: Agent,
  payment: Payment,
  session: Session,
): Promise<Signed> {
  const { account, sessionKeys } = settings
  const request = {
    network: String(payment.network.network),
    walletAddress: account,
    signMode: 'SESSION_KEY',
    sessionKey: signer.sessionKey,
    transactionDetails: [transferOf(payment)],
    ...(session.paymaster !== undefined && { paymasterData: 'sponsored' }),
  }
  let build: Awaited<ReturnType<typeof lanyard.smartAccount.build>>
  try {
    build = await lanyard.smartAccount.build(request)
  } catch (error) {
    if (error instanceof LanyardApiError && error.code === 'SESSION_REFUSED')
      return { ok: false, why: error.message }
    throw error
  }
  const parameters = { build, request, account, sessionKeys }
  const { userOpHash } = verifySessionBuild({ ...parameters, key: signer.key })
  const signature = await signSessionBuild({ ...parameters, signer })
  return { ok: true, operation: { userOpHash, signature } }
}

function transferOf({ currency, amount, to }: Payment) {
  if (currency.address === undefined) {
    return { targetContractAddress: to.address, value: String(amount), encodedData: '0x' }
  }
  const encodedData = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [to.address, amount],
  })
  return { targetContractAddress: currency.address, value: '0', encodedData }
}

const reverted = 'Its call reverted.'

/** Answers below 500 that say nothing of the payment: another call with it is under way, or this one was not read. */
const undecided = ['REQUEST_IN_PROGRESS', 'REQUEST_TIMEOUT', 'RATE_LIMITED']

/**
 * No error of a submission says that the payment did not happen: the service, or a proxy before it, may fail after it
 * took the signature. So the reference stays bound to this signature, and only `resume` releases it.
 */
async function submit(agent: Agent, record: PaymentRecord): Promise<PaymentOutcome> {
  const { operation } = record
  if (!operation) throw new TypeError('Only payments of the account are submitted.')
  const { userOpHash, signature } = operation
  const { account } = agent.settings
  try {
    const { success, txnHash } = await agent.lanyard.smartAccount.submit(
      { walletAddress: account, signature, signatureType: 'SESSION_KEY', userOpHash },
      { headers: { 'Idempotency-Key': userOpHash } },
    )
    if (!success) return { status: 'pending', userOpHash, why: reverted } // a reorg can still include it otherwise
    return await settle(agent, record, { outcome: 'paid', txnHash: txnHash as Hex })
  } catch (error) {
    const isDecided =
      error instanceof LanyardApiError && error.status < 500 && !undecided.includes(error.code)
    if (!isDecided) return { status: 'pending', userOpHash }
    const known = await statusOf(agent, userOpHash).catch(() => ({ state: 'unread' }))
    const isTaken = known !== undefined && known.state !== 'built'
    if (isTaken) return { status: 'pending', userOpHash }
    return { status: 'refused', userOpHash, code: error.code, why: error.message }
  }
}

async function settle(
  agent: Agent,
  record: PaymentRecord,
  { outcome, txnHash, why = reverted }: { outcome: 'paid' | 'failed'; txnHash: Hex; why?: string },
): Promise<PaymentOutcome> {
  const userOpHash = record.operation?.userOpHash ?? '0x'
  await agent.records.finish({ ...record, txnHash, outcome })
  return outcome === 'paid'
    ? { status: 'paid', userOpHash, txnHash }
    : { status: 'failed', userOpHash, txnHash, why }
}

/**
 * The outcome of a payment that was signed before. If the service never got the signature, it is submitted now.
 *
 * @returns undefined if the service says, finally, that it can no longer be included: its record is set aside, and it
 * may be sent again
 */
async function resume(agent: Agent, record: PaymentRecord): Promise<PaymentOutcome | undefined> {
  const { operation, outcome, txnHash } = record
  if (!operation) throw otherPayment(record.reference)
  const { userOpHash } = operation
  if (outcome === 'paid' && txnHash) return { status: 'paid', userOpHash, txnHash }
  const known = await statusOf(agent, userOpHash)
  if (known?.state === 'included' && known.txnHash) {
    const settled = { txnHash: known.txnHash as Hex, ...(known.reason && { why: known.reason.message }) }
    if (known.success) return settle(agent, record, { outcome: 'paid', ...settled })
    if (known.final) return settle(agent, record, { outcome: 'failed', ...settled })
    return { status: 'pending', userOpHash, why: known.reason?.message ?? reverted }
  }
  if (known?.state === 'dropped' || known?.state === 'expired') {
    if (!known.final) return { status: 'pending', userOpHash }
    await agent.records.setAside(record)
    return undefined
  }
  return submit(agent, record)
}

async function statusOf({ lanyard }: Agent, userOpHash: Hex) {
  try {
    return await lanyard.smartAccount.status({ userOpHash })
  } catch (error) {
    if (error instanceof LanyardApiError && error.code === 'UNKNOWN_OPERATION') return undefined
    throw error
  }
}

/** Base units that the owner's limits leave for a currency on a network. */
export const leftOf = (session: Session | undefined, token: Address | undefined): bigint =>
  BigInt(session?.allowances.find((one) => one.token?.toLowerCase() === token?.toLowerCase())?.left ?? 0)
