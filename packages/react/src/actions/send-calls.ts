import { ceremonyBody, LanyardApiError, toTransactionDetail, verifyTransactionOptions } from '@lanyard/client'
import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from '@simplewebauthn/browser'
import { type Address, getAddress, type Hash, type Hex } from 'viem'
import type { Account } from '../account-store.ts'
import type { LanyardContextValue } from '../lanyard-context.ts'
import { isUnreachable, LanyardReactError } from '../react-error.ts'
import { callService } from './call-service.ts'
import { deliver, type SentCalls } from './deliver.ts'
import { hasEnded, type Operation, readOperation } from './read-operation.ts'
import { runCeremony } from './run-ceremony.ts'

/** One call of an operation. All of its calls happen, or none does. */
export interface Call {
  readonly to: Address
  /** wei. Default: 0. */
  readonly value?: bigint
  /** Call data. Default: `0x`. */
  readonly data?: Hex
}

/** How far a send is: the service builds; the passkey asks; signed and on its way. */
export type SendStep = 'preparing' | 'signing' | 'sending'

export interface SendOptions {
  /**
   * The app's name for what the person wants, such as an invoice number. Calls with the same key are sent once, whatever
   * happens in between: a second press, a lost answer, a reload, another tab. The last 50 are remembered in this browser.
   */
  readonly key?: string
  /** Chain id. Default: the provider's. */
  readonly network?: number
  /** The service pays the gas, by a gas policy of its operator. Needs the token of `signIn` or `createAccount`. */
  readonly sponsored?: boolean
  /** The most that the operation may cost, wei. More is refused before the passkey is asked. */
  readonly maximumCost?: bigint
  /** Called with each step; from `sending` on with the hash to follow it by. */
  readonly onStep?: (step: SendStep, userOpHash?: Hash) => void
}

/** Sends of this page that are under way, by account, network and key. */
const underWay = new Map<string, Promise<SentCalls>>()

/**
 * Has the service build an operation, verifies it, has the passkey sign it, sends it, and waits until it is included.
 *
 * @param signal - ends it until the passkey has signed; after that it goes on
 */
export function sendCalls(
  context: LanyardContextValue,
  calls: readonly Call[],
  options: SendOptions,
  signal: AbortSignal,
): Promise<SentCalls> {
  const account = context.accounts.get()
  if (!account) return Promise.reject(new LanyardReactError('SIGNED_OUT'))
  const { key, network = context.network } = options
  if (key === undefined) return sendOnce(context, account, calls, options, signal)
  const name = JSON.stringify([context.service, account.address, network, key])
  const running = underWay.get(name)
  if (running) return running
  // One tab after the other: the next one finds what this one signed.
  const sent = navigator.locks
    .request(`lanyard.react.${name}`, { signal }, () => sendOnce(context, account, calls, options, signal))
    .finally(() => underWay.delete(name))
  underWay.set(name, sent)
  return sent
}

async function sendOnce(
  context: LanyardContextValue,
  account: Account,
  calls: readonly Call[],
  { key, network = context.network, sponsored, maximumCost, onStep }: SendOptions,
  signal: AbortSignal,
): Promise<SentCalls> {
  const { client, operations } = context
  onStep?.('preparing')
  const where = { account: account.address, network, key }
  const earlier = await findEarlier(context, where, signal)
  if (earlier.underWay) return deliver(context, earlier.underWay)

  const request = {
    transactionDetails: toTransactionDetails(calls),
    ...(sponsored && { paymasterData: 'sponsored' as const }),
  }
  // What was signed and never seen again, or dropped before a final block says so, could still be included. The new
  // operation takes its nonce, so that one of them can. The service shows what is not signed to nobody but its owner.
  const replaced = earlier.open
  const body = { username: account.username, network: String(network), ...request }
  const build = (replaces?: Hex) =>
    callService(client.webauthn.transactionOptions({ ...body, ...(replaces && { replaces }) }, { signal }))
  let options: Awaited<ReturnType<typeof build>>
  try {
    options = await build(replaced)
  } catch (error) {
    if (!(error instanceof LanyardApiError) || error.code !== 'NOT_REPLACEABLE' || !replaced) throw error
    // It was included in the meantime, or is a build that nobody can sign any more.
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
  })

  onStep?.('signing')
  const { userOp: _, order: __, validAfter: ___, validUntil: ____, ...ceremony } = options
  // The document says `string` where the library knows the standard's literals.
  const optionsJSON = ceremony as PublicKeyCredentialRequestOptionsJSON
  const assertion = await runCeremony(signal, () => startAuthentication({ optionsJSON }))

  operations.add({ ...where, userOpHash, signedAt: Date.now() })
  onStep?.('sending', userOpHash)
  try {
    return await deliver(context, userOpHash, { username: account.username, ...ceremonyBody(assertion) })
  } catch (error) {
    // The one that it should replace may have been included instead.
    const won = replaced && (await statusOf(context, replaced, signal).catch(() => undefined))
    if (won && isUnderWay(won)) return deliver(context, won.userOpHash)
    throw error
  }
}

interface EarlierOperations {
  /** Included, or on its way. */
  readonly underWay?: Hash
  /** It could still be included, as far as anybody knows. */
  readonly open?: Hash | undefined
}

/** What was signed for the same key before. */
async function findEarlier(
  context: LanyardContextValue,
  where: { readonly account: Address; readonly network: number; readonly key: string | undefined },
  signal: AbortSignal,
): Promise<EarlierOperations> {
  if (where.key === undefined) return {}
  let open: Hash | undefined
  for (const { userOpHash } of context.operations.find(where)) {
    const status = await statusOf(context, userOpHash, signal)
    if (status && isUnderWay(status)) return { underWay: userOpHash }
    const isOver = status && (hasEnded(status) || status.state === 'expired')
    if (!isOver) open = userOpHash
  }
  return { open }
}

/** A key stands for what was included, and for what is on its way. */
const isUnderWay = ({ state }: Operation): boolean =>
  state === 'included' || state === 'submitted' || state === 'submitting'

/** Undefined where the service knows nothing of it. Silence is an error: what may have been sent is not sent again. */
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

function toTransactionDetails(calls: readonly Call[]) {
  try {
    return calls.map(({ to, value = 0n, data = '0x' }) =>
      toTransactionDetail({ to: getAddress(to), value, data }),
    )
  } catch (cause) {
    throw new LanyardReactError('INVALID_REQUEST', { cause })
  }
}
