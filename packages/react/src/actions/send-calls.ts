import { ceremonyBody, LanyardApiError, toTransactionDetail, verifyTransactionOptions } from '@lanyard/client'
import { type Address, getAddress, type Hash, type Hex, keccak256, stringToBytes } from 'viem'
import type { Account } from '../account-store.ts'
import type { LanyardContextValue } from '../lanyard-context.ts'
import type { SignedOperation } from '../operation-store.ts'
import { isUnreachable, LanyardReactError } from '../react-error.ts'
import { callService } from './call-service.ts'
import { deliver, type SentCalls } from './deliver.ts'
import { hasEnded, type Operation, readOperation } from './read-operation.ts'
import { signWithPasskey } from './run-ceremony.ts'

/** One call of an operation. Either all of its calls take effect or none. */
export interface Call {
  readonly to: Address
  /** wei. Default: 0. */
  readonly value?: bigint
  /** Call data. Default: `0x`. */
  readonly data?: Hex
}

/** Progress: the service builds, the passkey prompts, then the signed operation is on its way. */
export type SendStep = 'preparing' | 'signing' | 'sending'

export interface SendOptions {
  /**
   * The app's identifier for the intent, such as an invoice number. On one network, calls with the same key are sent once,
   * even after a second press, a lost response, a reload or in another tab. Other calls with a key that was sent are rejected
   * with KEY_REUSED. This browser remembers the last 50.
   */
  readonly key?: string
  /** Chain id. Default: the provider's. */
  readonly network?: number
  /**
   * The service pays the gas under a gas policy of its operator. Requires the token of `signIn` or
   * `createAccount`.
   */
  readonly sponsored?: boolean
  /**
   * The account pays the gas in this token, one of `GET /gas/tokens`, and needs no native coin. Requires the token of `signIn`
   * or `createAccount`.
   */
  readonly feeToken?: Address
  /** Maximum cost in `feeToken`, in its base units. A higher cost is rejected before the passkey prompt. */
  readonly maximumTokenFee?: bigint
  /** Maximum cost of the operation in wei. A higher cost is rejected before the passkey prompt. */
  readonly maximumCost?: bigint
  /** Called with each step. From `sending` on, it also gets the hash to track the operation by. */
  readonly onStep?: (step: SendStep, userOpHash?: Hash) => void
}

/** Sends in progress on this page, by account, network and key. */
const underWay = new Map<string, { readonly calls: Hex; readonly sent: Promise<SentCalls> }>()

/**
 * Has the service build an operation, verifies it, signs it with the passkey, sends it, and waits for
 * inclusion.
 *
 * @param signal - aborts until the passkey has signed; after that, sending continues
 */
export async function sendCalls(
  context: LanyardContextValue,
  calls: readonly Call[],
  options: SendOptions,
  signal: AbortSignal,
): Promise<SentCalls> {
  const account = context.accounts.get()
  if (!account) throw new LanyardReactError('SIGNED_OUT')
  const { key, network = context.network } = options
  if (key === undefined) return sendOnce(context, account, calls, options, signal)
  const name = JSON.stringify([context.service, account.address, network, key])
  const running = underWay.get(name)
  const fingerprint = fingerprintOf(toTransactionDetails(calls))
  if (running) {
    if (running.calls === fingerprint) return running.sent
    throw new LanyardReactError('KEY_REUSED')
  }
  const send = () => sendOnce(context, account, calls, options, signal)
  // Tabs run serially: the next one finds the operation that this one signed. An app on a phone has no tabs, and no locks.
  const locks: LockManager | undefined = globalThis.navigator?.locks
  const sent = (locks ? locks.request(`lanyard.react.${name}`, { signal }, send) : send()).finally(() =>
    underWay.delete(name),
  )
  underWay.set(name, { calls: fingerprint, sent })
  return sent
}

async function sendOnce(
  context: LanyardContextValue,
  account: Account,
  calls: readonly Call[],
  { key, network = context.network, sponsored, feeToken, maximumTokenFee, maximumCost, onStep }: SendOptions,
  signal: AbortSignal,
): Promise<SentCalls> {
  const { client, operations } = context
  onStep?.('preparing')
  const where = { account: account.address, network, key }
  const earlier = await findEarlier(context, where, signal)
  const transactionDetails = toTransactionDetails(calls)
  const fingerprint = fingerprintOf(transactionDetails)
  if (earlier.underWay) {
    // What was paid is not what is asked for now, so this must not be reported as paid.
    if (earlier.underWay.calls !== fingerprint)
      throw new LanyardReactError('KEY_REUSED', { userOpHash: earlier.underWay.userOpHash })
    return deliver(context, earlier.underWay.userOpHash)
  }

  const request = {
    transactionDetails,
    ...(sponsored && { paymasterData: 'sponsored' as const }),
    ...(feeToken && { feeToken }),
  }
  // An earlier signed operation could still be included if the service never saw it, or if it was dropped and
  // that is not final. The new operation uses the same nonce, so only one of them can be included. The
  // service shows an unsigned operation only to its owner.
  const replaced = earlier.open
  const body = { username: account.username, network: String(network), ...request }
  const build = (replaces?: Hex) =>
    callService(client.webauthn.transactionOptions({ ...body, ...(replaces && { replaces }) }, { signal }))
  let options: Awaited<ReturnType<typeof build>>
  try {
    options = await build(replaced)
  } catch (error) {
    if (!(error instanceof LanyardApiError) || error.code !== 'NOT_REPLACEABLE' || !replaced) throw error
    // It was included in the meantime, or it is a build that can no longer be signed.
    const now = await statusOf(context, replaced, signal)
    if (now && isUnderWay(now)) return deliver(context, replaced)
    if (now?.state === 'dropped' && !now.final)
      throw new LanyardReactError('NOT_INCLUDED_YET', { userOpHash: replaced })
    options = await build()
  }
  const { userOpHash } = verifyTransactionOptions({
    options,
    request,
    owner: { kind: 'account', address: account.address },
    network,
    ...(maximumCost !== undefined && { maximumCost }),
    ...(maximumTokenFee !== undefined && { maximumTokenFee }),
  })

  onStep?.('signing')
  const { userOp: _, order: __, validAfter: ___, validUntil: ____, tokenFee: _____, ...prompt } = options
  const assertion = await signWithPasskey(context.ceremony, prompt, signal)

  operations.add({ ...where, userOpHash, calls: fingerprint, signedAt: Date.now() })
  onStep?.('sending', userOpHash)
  try {
    return await deliver(context, userOpHash, { username: account.username, ...ceremonyBody(assertion) })
  } catch (error) {
    // The operation to be replaced may have been included instead.
    const won = replaced && (await statusOf(context, replaced, signal).catch(() => undefined))
    if (won && isUnderWay(won)) return deliver(context, won.userOpHash)
    throw error
  }
}

interface EarlierOperations {
  /** An operation that is included or on its way. */
  readonly underWay?: SignedOperation
  /** An operation that could still be included. */
  readonly open?: Hash | undefined
}

/** Finds the operations that were signed earlier for the same key. */
async function findEarlier(
  context: LanyardContextValue,
  where: { readonly account: Address; readonly network: number; readonly key: string | undefined },
  signal: AbortSignal,
): Promise<EarlierOperations> {
  if (where.key === undefined) return {}
  let open: Hash | undefined
  for (const operation of context.operations.find(where)) {
    const { userOpHash } = operation
    const status = await statusOf(context, userOpHash, signal)
    if (status && isUnderWay(status)) return { underWay: operation }
    const isOver = status && (hasEnded(status) || status.state === 'expired')
    if (!isOver) open = userOpHash
  }
  return { open }
}

/** Whether the operation counts for its key: it is included or on its way. */
const isUnderWay = ({ state }: Operation): boolean =>
  state === 'included' || state === 'submitted' || state === 'submitting'

/**
 * Undefined if the service does not know the operation. No response is an error, so that an operation that
 * may have been sent is not sent again.
 */
async function statusOf(
  { client }: LanyardContextValue,
  userOpHash: Hex,
  signal: AbortSignal,
): Promise<Operation | undefined> {
  try {
    return await readOperation(client, userOpHash, signal)
  } catch (cause) {
    if (cause instanceof LanyardApiError && cause.code === 'UNKNOWN_OPERATION') return undefined
    if (isUnreachable(cause)) throw new LanyardReactError('UNREACHABLE', { cause, userOpHash })
    throw cause
  }
}

const fingerprintOf = (details: ReturnType<typeof toTransactionDetails>): Hex =>
  keccak256(stringToBytes(JSON.stringify(details)))

function toTransactionDetails(calls: readonly Call[]) {
  try {
    return calls.map(({ to, value = 0n, data = '0x' }) =>
      toTransactionDetail({ to: getAddress(to), value, data }),
    )
  } catch (cause) {
    throw new LanyardReactError('INVALID_REQUEST', { cause })
  }
}
